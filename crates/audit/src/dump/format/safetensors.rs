//! A `.safetensors` file: a JSON header, then the bytes of all tensors.
//!
//! The header is read here, so that its length is checked before there is room for it and a name that comes twice is
//! seen. Whether its offsets fit together is for the format's own crate to say. Values are streamed: the file is
//! never in memory as a whole.

use super::archive::{Archive, Bytes, Tensor, printable};
use super::budget::{Budget, MOST_HEADER, MOST_TENSORS};
use super::element::{Element, Kind, read_values};
use super::shape::Shape;
use crate::dump::Fault;
use safetensors::tensor::{Dtype, Metadata, TensorInfo};
use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufReader, SeekFrom};

/// An open `.safetensors` file.
pub(super) struct Safetensors {
    file: Box<dyn Bytes>,
    names: Vec<String>,
    infos: Vec<TensorInfo>,
    /// Where the values begin.
    data: u64,
}

impl Safetensors {
    pub(super) fn open(mut file: Box<dyn Bytes>) -> Result<Self, Fault> {
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
        let Header(tensors) = serde_json::from_slice(&text)
            .map_err(|e| Fault::damaged(format!("its header cannot be understood ({e})")))?;
        let (names, infos): (Vec<_>, Vec<_>) = tensors.iter().cloned().unzip();
        let metadata = Metadata::new(None, tensors)
            .map_err(|e| Fault::damaged(format!("its header contradicts itself ({e})")))?;
        if metadata.data_len() as u64 != values {
            return Err(Fault::damaged(format!(
                "its header promises {} bytes of values and {values} follow it",
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
                format!("its type {:?} is not read here", info.dtype),
                "save it as F32 or F64, labels as I64",
            )
        })?;
        let shape = Shape::new(name, info.shape.clone(), element.bytes)?;
        self.file.seek(SeekFrom::Start(self.data + info.data_offsets.0 as u64)).map_err(Fault::Io)?;
        let values = read_values(&mut BufReader::new(&mut self.file), name, element, &shape, false, budget)?;
        Ok(Tensor { name: name.clone(), element, shape, values })
    }
}

/// How values of this type lie in the file; none for types that are not read.
fn element(dtype: Dtype) -> Option<Element> {
    let (kind, bytes) = match dtype {
        Dtype::BOOL => (Kind::Bool, 1),
        Dtype::U8 => (Kind::Unsigned, 1),
        Dtype::U16 => (Kind::Unsigned, 2),
        Dtype::U32 => (Kind::Unsigned, 4),
        Dtype::U64 => (Kind::Unsigned, 8),
        Dtype::I8 => (Kind::Signed, 1),
        Dtype::I16 => (Kind::Signed, 2),
        Dtype::I32 => (Kind::Signed, 4),
        Dtype::I64 => (Kind::Signed, 8),
        Dtype::F16 => (Kind::Float, 2),
        Dtype::BF16 => (Kind::Brain, 2),
        Dtype::F32 => (Kind::Float, 4),
        Dtype::F64 => (Kind::Float, 8),
        _ => return None,
    };
    Some(Element { kind, bytes, big_endian: false })
}

/// The tensors of a header in the order of their bytes; the words of `__metadata__` are not needed.
struct Header(Vec<(String, TensorInfo)>);

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries)
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Header;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of tensors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Header, A::Error> {
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
        Ok(Header(tensors))
    }
}
