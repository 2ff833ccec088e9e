//! One array in NumPy's own format: a magic word, a header, the values.

use super::archive::Tensor;
use super::budget::{Budget, MOST_HEADER};
use super::element::{Element, Kind, read_values};
use super::literal::{Descr, Header};
use super::shape::Shape;
use crate::dump::Fault;
use std::io::Read;

/// How an `.npy` array begins.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// Reads the array `tensor`, which takes `length` bytes with its header.
pub(super) fn read(
    from: &mut impl Read,
    tensor: &str,
    length: u64,
    budget: &mut Budget,
) -> Result<Tensor, Fault> {
    let (header, header_length) = header(from, tensor)?;
    let element = element(tensor, &header.descr)?;
    let shape = Shape::new(tensor, header.shape, element.bytes)?;
    // What the header claims is held against what is there before room is made for it.
    let expected = (shape.count() * element.bytes) as u64;
    if length.checked_sub(header_length) != Some(expected) {
        return Err(Fault::damaged(format!(
            "the header of {tensor} says {}, which is {expected} bytes, and {} bytes follow it",
            shape.words(),
            length.saturating_sub(header_length),
        )));
    }
    let values = read_values(from, tensor, element, &shape, header.fortran, budget)?;
    Ok(Tensor { name: tensor.to_owned(), element, shape, values })
}

/// The header, and how many bytes it takes with all that is before it.
fn header(from: &mut impl Read, tensor: &str) -> Result<(Header, u64), Fault> {
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
                format!("version {version} of the .npy format is not known"),
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
        std::str::from_utf8(&text).ok().filter(|_| text.len() as u64 == length).and_then(Header::parse);
    match header {
        Some(header) => Ok((header, before + length)),
        None => Err(Fault::damaged(format!("the header of {tensor} cannot be understood"))),
    }
}

/// The type that a `descr` names, such as `<f4`: byte order, kind, bytes.
fn element(tensor: &str, descr: &Descr) -> Result<Element, Fault> {
    let refuse = |what: &str, remedy: &str| Err(Fault::tensor(tensor, what, remedy));
    let Descr::Plain(name) = descr else {
        return refuse("it is an array of records", "save one plain array of numbers for each tensor");
    };
    let big_endian = match name.as_bytes().first() {
        Some(b'>') => true,
        Some(b'<' | b'|') => false,
        Some(b'=') => cfg!(target_endian = "big"),
        _ => return Err(Fault::damaged(format!("the type of {tensor} is `{name}`"))),
    };
    let (kind, bytes) = match &name[1..] {
        "f2" => (Kind::Float, 2),
        "f4" => (Kind::Float, 4),
        "f8" => (Kind::Float, 8),
        "i1" => (Kind::Signed, 1),
        "i2" => (Kind::Signed, 2),
        "i4" => (Kind::Signed, 4),
        "i8" => (Kind::Signed, 8),
        "u1" => (Kind::Unsigned, 1),
        "u2" => (Kind::Unsigned, 2),
        "u4" => (Kind::Unsigned, 4),
        "u8" => (Kind::Unsigned, 8),
        "b1" => (Kind::Bool, 1),
        "O" => {
            return refuse(
                "it is an array of Python objects, a pickle, which is never opened here",
                "save one array of numbers per layer (a list of arrays of different shapes becomes objects)",
            );
        }
        "V2" => {
            return refuse(
                "its type is two unnamed bytes, which is what NumPy makes of bfloat16",
                "save it as float32, or all of them in a .safetensors file",
            );
        }
        "f12" | "f16" => return refuse("it is a long double", "save it as float64"),
        "c8" | "c16" => return refuse("it holds complex numbers", "save real numbers"),
        other => {
            let what = format!("its type `{other}` holds no numbers that are understood here");
            return refuse(&what, "save it as float32 or float64, labels as int64");
        }
    };
    Ok(Element { kind, bytes, big_endian })
}
