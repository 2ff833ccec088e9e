//! Arrays in a file, as `numpy.savez` writes it.

use std::path::Path;

/// An array as NumPy saves it.
pub(crate) struct Saved {
    name: &'static str,
    descr: &'static str,
    /// As Python writes it.
    shape: String,
    bytes: Vec<u8>,
}

pub(crate) fn floats(name: &'static str, shape: &str, values: &[f32]) -> Saved {
    Saved {
        name,
        descr: "<f4",
        shape: shape.to_owned(),
        bytes: values.iter().flat_map(|x| x.to_le_bytes()).collect(),
    }
}

pub(crate) fn labels(name: &'static str, shape: &str, values: &[i64]) -> Saved {
    Saved {
        name,
        descr: "<i8",
        shape: shape.to_owned(),
        bytes: values.iter().flat_map(|x| x.to_le_bytes()).collect(),
    }
}

pub(crate) fn pixels(name: &'static str, shape: &str, bytes: &[u8]) -> Saved {
    Saved { name, descr: "|u1", shape: shape.to_owned(), bytes: bytes.to_vec() }
}

/// Writes a zip of stored members, as `numpy.savez` does.
pub(crate) fn savez(path: &Path, arrays: &[Saved]) {
    let mut file = Vec::new();
    let mut table = Vec::new();
    for Saved { name, descr, shape, bytes } in arrays {
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
        let length = (header.len() as u16).to_le_bytes();
        let content = [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), bytes].concat();
        let mut sum = flate2::Crc::new();
        sum.update(&content);
        let name = format!("{name}.npy");
        let sizes = [sum.sum(), content.len() as u32, content.len() as u32].map(u32::to_le_bytes).concat();
        let names = [name.len() as u16, 0].map(u16::to_le_bytes).concat();
        let common = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &sizes, &names].concat();
        let at = (file.len() as u32).to_le_bytes();
        table.extend([b"PK\x01\x02\x14\x00", &common[..], &[0; 10], &at, name.as_bytes()].concat());
        file.extend([b"PK\x03\x04", &common[..], name.as_bytes(), &content].concat());
    }
    let count = arrays.len() as u16;
    let counts = [0, 0, count, count].map(u16::to_le_bytes).concat();
    let places = [table.len() as u32, file.len() as u32].map(u32::to_le_bytes).concat();
    let whole = [&file[..], &table, b"PK\x05\x06", &counts, &places, &[0, 0]].concat();
    std::fs::write(path, whole).unwrap();
}
