//! A `.safetensors` file: a JSON header, then the bytes of all tensors.
//!
//! The header is read here, so that its length is checked before memory is allocated and a repeated name is noticed. The
//! format's own crate checks its offsets. Values are streamed: the file is never in memory as a whole.

use crate::Fault;
use crate::archive::{Archive, Bytes, Tensor, printable};
use crate::budget::{Budget, MOST_HEADER, MOST_TENSORS};
use crate::element::{Element, NumberKind, read_values};
use crate::shape::TensorShape;
use safetensors::tensor::{Dtype, Metadata, TensorInfo};
use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufReader, SeekFrom};

/// An open `.safetensors` file.
pub(crate) struct Safetensors {
    file: Box<dyn Bytes>,
    names: Vec<String>,
    infos: Vec<TensorInfo>,
    /// Where the values start.
    data: u64,
}

impl Safetensors {
    pub(crate) fn open(mut file: Box<dyn Bytes>) -> Result<Self, Fault> {
        let length = file.seek(SeekFrom::End(0)).map_err(Fault::Io)?;
        file.rewind().map_err(Fault::Io)?;
        let mut start = [0; 8];
        file.read_exact(&mut start).map_err(|e| Fault::while_reading("the header", e))?;
        let header = u64::from_le_bytes(start);
        let Some(values) = length.checked_sub(8).and_then(|rest| rest.checked_sub(header)) else {
            return Err(Fault::damaged(format!(
                "its header should have {header} bytes, the file has {length}"
            )));
        };
        if header > MOST_HEADER {
            return Err(Fault::layout(
                format!("its header has {header} bytes, and at most {MOST_HEADER} are read"),
                "save the tensors of one model at one time only",
            ));
        }
        let mut text = vec![0; header as usize];
        file.read_exact(&mut text).map_err(|e| Fault::while_reading("the header", e))?;
        let SafetensorsHeader(tensors) = serde_json::from_slice(&text)
            .map_err(|e| Fault::damaged(format!("its header cannot be parsed ({e})")))?;
        let (names, infos): (Vec<_>, Vec<_>) = tensors.iter().cloned().unzip();
        let metadata = Metadata::new(None, tensors)
            .map_err(|e| Fault::damaged(format!("its header contradicts itself ({e})")))?;
        if metadata.data_len() as u64 != values {
            return Err(Fault::damaged(format!(
                "its header says {} bytes of values, but {values} follow it",
                metadata.data_len()
            )));
        }
        Ok(Self { file, names, infos, data: 8 + header })
    }
}

impl Archive for Safetensors {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn tensor(&mut self, index: usize, budget: &mut Budget) -> Result<Tensor, Fault> {
        let name = &self.names[index];
        let info = &self.infos[index];
        let element = element(info.dtype).ok_or_else(|| {
            Fault::tensor(
                name,
                format!("its type {:?} is not supported", info.dtype),
                "save it as F32 or F64, labels as I64",
            )
        })?;
        let shape = TensorShape::new(name, info.shape.clone(), element.bytes)?;
        self.file.seek(SeekFrom::Start(self.data + info.data_offsets.0 as u64)).map_err(Fault::Io)?;
        let values = read_values(&mut BufReader::new(&mut self.file), name, element, &shape, false, budget)?;
        Ok(Tensor { name: name.clone(), element, shape, values })
    }
}

/// How values of this type are stored; none for types that are not supported.
fn element(dtype: Dtype) -> Option<Element> {
    let kind = match dtype {
        Dtype::BOOL => NumberKind::Bool,
        Dtype::U8 | Dtype::U16 | Dtype::U32 | Dtype::U64 => NumberKind::Unsigned,
        Dtype::I8 | Dtype::I16 | Dtype::I32 | Dtype::I64 => NumberKind::Signed,
        Dtype::F16 | Dtype::F32 | Dtype::F64 => NumberKind::Float,
        Dtype::BF16 => NumberKind::Brain,
        _ => return None,
    };
    Some(Element { kind, bytes: dtype.bitsize() / 8, big_endian: false })
}

/// The tensors of a header in the order of their bytes, without `__metadata__`.
struct SafetensorsHeader(Vec<(String, TensorInfo)>);

impl<'de> Deserialize<'de> for SafetensorsHeader {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries)
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = SafetensorsHeader;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of tensors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SafetensorsHeader, A::Error> {
        let mut tensors = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            let name = printable(&name);
            if name == "__metadata__" {
                map.next_value::<IgnoredAny>()?;
            } else if tensors.contains_key(&name) {
                return Err(A::Error::custom(format!("`{name}` comes twice")));
            } else if tensors.len() as u64 == MOST_TENSORS {
                return Err(A::Error::custom(format!("more than {MOST_TENSORS} tensors")));
            } else {
                let info = map.next_value::<TensorInfo>()?;
                tensors.insert(name, info);
            }
        }
        let mut tensors: Vec<_> = tensors.into_iter().collect();
        tensors.sort_by_key(|(_, info)| info.data_offsets);
        Ok(SafetensorsHeader(tensors))
    }
}
