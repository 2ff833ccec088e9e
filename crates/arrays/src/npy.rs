//! One array in NumPy's format: a magic word, a header, the values.

use crate::Fault;
use crate::archive::Tensor;
use crate::budget::{Budget, MOST_HEADER};
use crate::element::{Element, Number, NumberKind, read_values};
use crate::literal::{Descr, NpyHeader};
use crate::shape::TensorShape;
use std::io::Read;

/// How an `.npy` array begins.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// An array before its values are read.
pub(crate) struct Opened {
    pub(crate) element: Element,
    pub(crate) shape: TensorShape,
    fortran: bool,
}

/// Reads the header of the array `tensor`, which takes `length` bytes with it.
pub(crate) fn open(from: &mut impl Read, tensor: &str, length: u64) -> Result<Opened, Fault> {
    let (header, header_length) = header(from, tensor)?;
    let (element, letters) = element(tensor, &header.descr)?;
    // A text of n letters is a dimension of n codes.
    let lengths = header.shape.into_iter().chain(letters).collect();
    let shape = TensorShape::new(tensor, lengths, element.bytes)?;
    // The claim of the header is compared with the actual length before memory is allocated.
    let expected = (shape.count() * element.bytes) as u64;
    if length.checked_sub(header_length) != Some(expected) {
        return Err(Fault::damaged(format!(
            "the header of {tensor} says {}, which is {expected} bytes, but {} bytes follow it",
            shape.words(),
            length.saturating_sub(header_length),
        )));
    }
    Ok(Opened { element, shape, fortran: header.fortran })
}

/// Reads the whole array.
pub(crate) fn read<N: Number>(
    from: &mut impl Read,
    tensor: &str,
    length: u64,
    budget: &mut Budget,
) -> Result<Tensor<N>, Fault> {
    let Opened { element, shape, fortran } = open(from, tensor, length)?;
    let values = read_values(from, tensor, element, &shape, fortran, budget)?;
    Ok(Tensor { name: tensor.to_owned(), element, shape, values })
}

/// The header, and its bytes including those before it.
fn header(from: &mut impl Read, tensor: &str) -> Result<(NpyHeader, u64), Fault> {
    let broken = |e| Fault::while_reading(tensor, e);
    let mut start = [0; 8];
    from.read_exact(&mut start).map_err(broken)?;
    if &start[..6] != MAGIC {
        return Err(Fault::damaged(format!("{tensor} does not begin like an .npy array")));
    }
    let (before, length) = match start[6] {
        1 => {
            let mut length = [0; 2];
            from.read_exact(&mut length).map_err(broken)?;
            (10, u64::from(u16::from_le_bytes(length)))
        }
        2 | 3 => {
            let mut length = [0; 4];
            from.read_exact(&mut length).map_err(broken)?;
            (12, u64::from(u32::from_le_bytes(length)))
        }
        version => {
            return Err(Fault::tensor(
                tensor,
                format!("version {version} of the .npy format is not supported"),
                "save it with numpy.savez of a current NumPy",
            ));
        }
    };
    if length > MOST_HEADER {
        return Err(Fault::damaged(format!("the header of {tensor} claims {length} bytes")));
    }
    let mut text = Vec::new();
    from.take(length).read_to_end(&mut text).map_err(broken)?;
    let header =
        std::str::from_utf8(&text).ok().filter(|_| text.len() as u64 == length).and_then(NpyHeader::parse);
    match header {
        Some(header) => Ok((header, before + length)),
        None => Err(Fault::damaged(format!("the header of {tensor} cannot be parsed"))),
    }
}

/// The type that a `descr` names, such as `<f4`: byte order, kind, bytes. Of a text, `<U3`, also the number of letters.
fn element(tensor: &str, descr: &Descr) -> Result<(Element, Option<usize>), Fault> {
    let refuse = |what: &str, remedy: &str| Err(Fault::tensor(tensor, what, remedy));
    let Descr::Plain(name) = descr else {
        return refuse("it is an array of records", "save one plain array of numbers per tensor");
    };
    let big_endian = match name.as_bytes().first() {
        Some(b'>') => true,
        Some(b'<' | b'|') => false,
        Some(b'=') => cfg!(target_endian = "big"),
        _ => return Err(Fault::damaged(format!("the type of {tensor} is `{name}`"))),
    };
    let code = &name[1..];
    if let Some((kind, letters)) = code.split_at_checked(1)
        && let Ok(letters) = letters.parse::<usize>()
        && let Some(bytes) =
            [("U", 4), ("S", 1)].into_iter().find_map(|(text, bytes)| (text == kind).then_some(bytes))
    {
        return Ok((Element { kind: NumberKind::Text, bytes, big_endian }, Some(letters)));
    }
    let kind = match code {
        "f2" | "f4" | "f8" => NumberKind::Float,
        "i1" | "i2" | "i4" | "i8" => NumberKind::Signed,
        "u1" | "u2" | "u4" | "u8" => NumberKind::Unsigned,
        "b1" => NumberKind::Bool,
        "O" => {
            return refuse(
                "it is an array of Python objects, a pickle, which is never opened here",
                "save one array of numbers per layer (a list of arrays of different shapes becomes objects)",
            );
        }
        "V2" => {
            return refuse(
                "its type is two unnamed bytes, as NumPy stores bfloat16",
                "save it as float32, or all of them in a .safetensors file",
            );
        }
        "f12" | "f16" => return refuse("it is a long double", "save it as float64"),
        "c8" | "c16" => return refuse("it contains complex numbers", "save real numbers"),
        other => {
            let what = format!("its type `{other}` is not supported");
            return refuse(&what, "save it as float32 or float64, labels as int64");
        }
    };
    Ok((Element { kind, bytes: usize::from(code.as_bytes()[1] - b'0'), big_endian }, None))
}
