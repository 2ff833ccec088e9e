//! Writers of small dumps for the tests: zip and `.npy` byte by byte from their specifications, so that a test can
//! write wrong ones as well.
#![allow(dead_code, clippy::allow_attributes, reason = "each test uses its part of these")]

pub(crate) mod network;

use audit::dump::{self, Dump, Values};
use safetensors::tensor::{Dtype, TensorView};
use std::io::Write;
use std::path::PathBuf;

/// A tensor to be written: name, NumPy type, shape, bytes.
#[derive(Clone)]
pub(crate) struct Array {
    pub(crate) name: String,
    pub(crate) descr: &'static str,
    pub(crate) shape: Vec<usize>,
    pub(crate) bytes: Vec<u8>,
}

/// An f32 tensor of this shape whose values count up in steps of 1/8.
pub(crate) fn floats(name: &str, shape: &[usize]) -> Array {
    let count: usize = shape.iter().product();
    let bytes = (0..count).flat_map(|i| (i as f32 / 8.0).to_le_bytes()).collect();
    Array { name: name.to_owned(), descr: "<f4", shape: shape.to_vec(), bytes }
}

/// Integers in one dimension.
pub(crate) fn integers(name: &str, values: &[i64]) -> Array {
    let bytes = values.iter().flat_map(|x| x.to_le_bytes()).collect();
    Array { name: name.to_owned(), descr: "<i8", shape: vec![values.len()], bytes }
}

/// One number without dimensions.
pub(crate) fn scalar(name: &str, value: f64) -> Array {
    Array { name: name.to_owned(), descr: "<f8", shape: vec![], bytes: value.to_le_bytes().to_vec() }
}

/// A whole dump of `samples` samples: two blocks, widths 3, 4 and 5, three classes.
pub(crate) fn whole(samples: usize) -> Vec<Array> {
    let n = samples;
    let labels = (0..samples as i64).map(|i| i % 3).collect::<Vec<_>>();
    vec![
        floats("h.0", &[n, 3]),
        floats("h.1", &[n, 2, 2]),
        floats("h.2", &[n, 5]),
        floats("p.0", &[n, 3]),
        floats("p.1", &[n, 2, 2]),
        floats("p.2", &[n, 5]),
        floats("a.embed", &[n, 3]),
        floats("a.0", &[n, 4]),
        floats("a.1", &[n, 5]),
        integers("labels", &labels),
        floats("logits", &[n, 3]),
        floats("head.weight", &[3, 5]),
        floats("head.bias", &[3]),
        floats("out_ln.weight", &[5]),
        floats("out_ln.bias", &[5]),
        integers("epoch", &[12]),
    ]
}

/// The whole dump of four samples with some of its tensors replaced, and others added.
pub(crate) fn with(changes: Vec<Array>) -> Vec<Array> {
    let mut arrays = whole(4);
    for change in changes {
        arrays.retain(|array| array.name != change.name);
        arrays.push(change);
    }
    arrays
}

/// The whole dump without the tensors whose names begin so.
pub(crate) fn without(starts: &[&str]) -> Vec<Array> {
    whole(4).into_iter().filter(|array| !starts.iter().any(|start| array.name.starts_with(start))).collect()
}

/// The `.npy` file of an array.
pub(crate) fn npy(array: &Array) -> Vec<u8> {
    let lengths: String = array.shape.iter().map(|length| format!("{length},")).collect();
    npy_with(
        &format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({lengths}), }}\n", array.descr),
        &array.bytes,
    )
}

/// An `.npy` file with this header.
pub(crate) fn npy_with(header: &str, bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), bytes].concat()
}

/// A member of a zip file, with what its entry in the table of contents claims.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) packed: Vec<u8>,
    pub(crate) method: u16,
    pub(crate) flags: u16,
    pub(crate) claimed: u32,
    pub(crate) checksum: u32,
}

impl Member {
    pub(crate) fn stored(name: &str, content: &[u8]) -> Self {
        let mut sum = flate2::Crc::new();
        sum.update(content);
        Self {
            name: name.to_owned(),
            packed: content.to_vec(),
            method: 0,
            flags: 0,
            claimed: content.len() as u32,
            checksum: sum.sum(),
        }
    }

    pub(crate) fn deflated(name: &str, content: &[u8]) -> Self {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(content).unwrap();
        Self { packed: encoder.finish().unwrap(), method: 8, ..Self::stored(name, content) }
    }
}

/// A zip file of these members.
pub(crate) fn zip(members: &[Member]) -> Vec<u8> {
    let (file, table) = zip_parts(members, false);
    let count = members.len() as u16;
    let mut end = [0, 0, count, count].map(u16::to_le_bytes).concat();
    end.extend([table.len() as u32, file.len() as u32].map(u32::to_le_bytes).concat());
    [&file[..], &table, b"PK\x05\x06", &end, &[0, 0]].concat()
}

/// The same, written as it must be beyond 4 GiB: every number that could be too large in a record of eight bytes.
pub(crate) fn zip64(members: &[Member]) -> Vec<u8> {
    let (file, table) = zip_parts(members, true);
    let count = members.len() as u64;
    let mut large = [&b"PK\x06\x06"[..], &44u64.to_le_bytes(), &[45, 0, 45, 0], &[0; 8]].concat();
    large.extend([count, count, table.len() as u64, file.len() as u64].map(u64::to_le_bytes).concat());
    let large_at = ((file.len() + table.len()) as u64).to_le_bytes();
    let pointer = [&b"PK\x06\x07"[..], &[0; 4], &large_at, &[1, 0, 0, 0]].concat();
    let comment = b"written by a test";
    let end = [&b"PK\x05\x06"[..], &[0; 4], &[0xff; 12], &[comment.len() as u8, 0], comment].concat();
    [file, table, large, pointer, end].concat()
}

/// Members with their headers, and the table of contents.
fn zip_parts(members: &[Member], large: bool) -> (Vec<u8>, Vec<u8>) {
    let mut file = Vec::new();
    let mut table = Vec::new();
    for member in members {
        let at = file.len() as u32;
        let sizes = [member.packed.len() as u32, member.claimed];
        let fields = |sizes: [u32; 2], extra: usize| {
            let mut fields = [20u16, member.flags, member.method, 0, 0].map(u16::to_le_bytes).concat();
            fields.extend([member.checksum, sizes[0], sizes[1]].map(u32::to_le_bytes).concat());
            fields.extend([member.name.len() as u16, extra as u16].map(u16::to_le_bytes).concat());
            fields
        };
        let name = member.name.as_bytes();
        file.extend([b"PK\x03\x04", &fields(sizes, 0)[..], name, &member.packed].concat());
        // Another field precedes the one that counts.
        let numbers = [sizes[1], sizes[0], at].map(|number| u64::from(number).to_le_bytes()).concat();
        let extra = [&[9, 9, 2, 0, 7, 7, 1, 0, 24, 0][..], &numbers].concat();
        let (sizes, at, extra) =
            if large { ([u32::MAX; 2], u32::MAX, &extra[..]) } else { (sizes, at, &[][..]) };
        let head = [&fields(sizes, extra.len())[..], &[0; 10], &at.to_le_bytes()].concat();
        table.extend([b"PK\x01\x02\x14\x00", &head[..], name, extra].concat());
    }
    (file, table)
}

pub(crate) fn npz(arrays: &[Array]) -> Vec<u8> {
    zip(&arrays
        .iter()
        .map(|array| Member::stored(&format!("{}.npy", array.name), &npy(array)))
        .collect::<Vec<_>>())
}

pub(crate) fn npz_compressed(arrays: &[Array]) -> Vec<u8> {
    let member = |array: &Array| Member::deflated(&format!("{}.npy", array.name), &npy(array));
    zip(&arrays.iter().map(member).collect::<Vec<_>>())
}

pub(crate) fn safetensors(arrays: &[Array]) -> Vec<u8> {
    // The crate writes in its own order; the layout does not depend on it.
    let views = arrays.iter().map(|array| {
        let dtype = match array.descr {
            "<f4" => Dtype::F32,
            "<f8" => Dtype::F64,
            "<i8" => Dtype::I64,
            "bf16" => Dtype::BF16,
            "<f2" => Dtype::F16,
            other => panic!("{other}"),
        };
        (array.name.clone(), TensorView::new(dtype, array.shape.clone(), &array.bytes).unwrap())
    });
    safetensors::serialize(views, None).unwrap()
}

/// A `.safetensors` file with this header.
pub(crate) fn safetensors_with(header: &str, bytes: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), bytes].concat()
}

/// A file with this name and content, in its own folder.
pub(crate) fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

pub(crate) fn read(name: &str, content: &[u8]) -> Result<Dump, dump::Error> {
    let (_folder, path) = file(name, content);
    dump::read(&path)
}

/// The same arrays without a file.
pub(crate) fn from_memory(name: &str, arrays: &[Array]) -> Result<Dump, dump::Error> {
    fn numbers<const N: usize, T>(array: &Array, number: fn([u8; N]) -> T) -> Vec<T> {
        array.bytes.chunks_exact(N).map(|bytes| number(bytes.try_into().unwrap())).collect()
    }
    enum Owned {
        F64(Vec<f64>),
        F32(Vec<f32>),
        F16(Vec<u16>),
        BF16(Vec<u16>),
        I64(Vec<i64>),
    }
    let owned = |array: &Array| match array.descr {
        "<f8" => Owned::F64(numbers(array, f64::from_le_bytes)),
        "<f4" => Owned::F32(numbers(array, f32::from_le_bytes)),
        "<f2" => Owned::F16(numbers(array, u16::from_le_bytes)),
        "bf16" => Owned::BF16(numbers(array, u16::from_le_bytes)),
        "<i8" => Owned::I64(numbers(array, i64::from_le_bytes)),
        other => panic!("{other}"),
    };
    fn named<'a>(array: &'a Array, values: &'a Owned) -> dump::Array<'a> {
        let values = match values {
            Owned::F64(values) => Values::F64(values),
            Owned::F32(values) => Values::F32(values),
            Owned::F16(bits) => Values::F16(bits),
            Owned::BF16(bits) => Values::BF16(bits),
            Owned::I64(values) => Values::I64(values),
        };
        dump::Array { name: &array.name, shape: &array.shape, values }
    }
    let values: Vec<Owned> = arrays.iter().map(owned).collect();
    let named: Vec<_> = arrays.iter().zip(&values).map(|(array, values)| named(array, values)).collect();
    Dump::from_arrays(name, &named)
}

/// The message with which this file is refused; it must name the file and each of the words.
#[track_caller]
pub(crate) fn refused(name: &str, content: &[u8], words: &[&str]) {
    let message = match read(name, content) {
        Ok(_) => panic!("{name} was accepted, {words:?} expected"),
        Err(error) => error.to_string(),
    };
    for word in words.iter().chain([&name]) {
        assert!(message.contains(word), "`{word}` is not in: {message}");
    }
}
