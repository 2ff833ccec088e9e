//! Files that are broken or lie about themselves: refused before memory is spent, and never with a panic.

mod dump_common;

use audit::dump;
use dump_common::*;
use proptest::prelude::*;
use std::sync::LazyLock;

#[test]
fn a_file_truncated_anywhere_is_refused() {
    for (name, content) in [
        ("dump.npz", npz(&whole(4))),
        ("dump.npz", npz_compressed(&whole(4))),
        ("dump.safetensors", safetensors(&whole(4))),
    ] {
        for end in (0..content.len()).step_by(97).chain([content.len() - 1]) {
            assert!(read(name, &content[..end]).is_err(), "{name} cut at {end} was accepted");
        }
        refused(name, &content[..content.len() - 5], &["damaged or truncated"]);
    }
}

#[test]
fn members_that_unpack_to_more_than_they_say() {
    let array = npy(&floats("h.0", &[4, 3]));
    // 4 MB of zeros behind the array, which the table of contents keeps silent about.
    let bomb = [&array[..], &vec![0; 4 << 20]].concat();
    let member = Member { claimed: array.len() as u32, ..Member::deflated("h.0.npy", &bomb) };
    refused("dump.npz", &zip(&[member]), &["h.0", "not as long"]);
    let header = npy_with("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 100), }", &[]);
    // A claim that deflate could not keep, and a stored one that is not all there.
    let liar = Member { claimed: 800_000_077, ..Member::deflated("h.0.npy", &header) };
    refused("dump.npz", &zip(&[liar]), &["h.0", "cannot hold"]);
    let liar = Member { claimed: 800_000_077, ..Member::stored("h.0.npy", &header) };
    refused("dump.npz", &zip(&[liar]), &["h.0", "cannot hold"]);
}

#[test]
fn more_than_the_memory_that_is_allowed() {
    let (_folder, path) =
        file("dump.npz", &npz_compressed(&[floats("h.0", &[1000, 64]), floats("h.1", &[1000, 64])]));
    let bytes = 2 * 1000 * 64 * 8;
    assert!(dump::read_within(&path, bytes).is_ok());
    let refusal = dump::read_within(&path, bytes - 1).unwrap_err().to_string();
    assert!(
        refusal.contains("h.1") && refusal.contains("1024000 bytes") && refusal.contains("1023999"),
        "{refusal}"
    );
    let (_folder, path) = file("dump.safetensors", &safetensors(&[floats("h.0", &[1000, 64])]));
    assert!(dump::read_within(&path, 1000 * 64 * 8 - 1).is_err());
}

/// A real bomb: 40 million zeros in a file of some hundred kilobytes, with headers that say so.
#[test]
fn a_small_file_that_unpacks_to_far_more() {
    let shape = "{'descr': '<f4', 'fortran_order': False, 'shape': (40000, 1000), }";
    let bomb = npy_with(shape, &vec![0; 4 * 40_000_000]);
    let content = zip(&[Member::deflated("h.0.npy", &bomb)]);
    assert!(content.len() < 1 << 20, "{}", content.len());
    refused("dump.npz", &content, &["h.0", "320000000 bytes", "268435456 are allowed"]);
}

#[test]
fn headers_that_lie_about_shapes() {
    let npy = |shape: &str| {
        npy_with(&format!("{{'descr': '<f4', 'fortran_order': True, 'shape': ({shape}), }}"), &[0; 48])
    };
    let max = usize::MAX;
    for shape in [
        "4, 4".to_owned(),
        "4, 2".to_owned(),
        format!("{max}, {max}"),
        format!("{max},"),
        format!("0, {max}, {max}"),
    ] {
        let content = zip(&[Member::stored("h.0.npy", &npy(&shape))]);
        refused("dump.npz", &content, &["h.0", "damaged"]);
    }
    let dims = "1, ".repeat(100);
    refused("dump.npz", &zip(&[Member::stored("h.0.npy", &npy(&dims))]), &["h.0", "damaged"]);
    let long = [b"\x93NUMPY\x02\x00\xff\xff\xff\xff", &[b' '; 64][..]].concat();
    refused("dump.npz", &zip(&[Member::stored("h.0.npy", &long)]), &["h.0", "4294967295 bytes"]);
    refused("dump.npz", &zip(&[Member::stored("h.0.npy", b"\x93NUMPY\x09\x00")]), &["h.0", "version 9"]);
    refused("dump.npz", &zip(&[Member::stored("h.0.npy", b"{}")]), &["h.0", "damaged"]);
}

#[test]
fn tables_of_contents_that_lie() {
    let array = npy(&floats("h.0", &[4, 3]));
    let member = Member::stored("h.0.npy", &array);
    refused("dump.npz", &zip(&[member.clone(), member.clone()]), &["h.0.npy", "twice"]);
    let secret = Member { flags: 1, ..member.clone() };
    refused("dump.npz", &zip(&[secret]), &["h.0.npy", "encrypted"]);
    let other = Member { method: 14, ..member.clone() };
    refused("dump.npz", &zip(&[other]), &["h.0.npy", "method 14", "savez"]);
    let wrong = Member { checksum: 1, ..member.clone() };
    refused("dump.npz", &zip(&[wrong]), &["checksum of h.0.npy"]);
    let mut garbled = Member::deflated("h.0.npy", &array);
    garbled.packed[3] ^= 0x55;
    refused("dump.npz", &zip(&[garbled]), &["h.0", "damaged"]);
    // Two entries that point to the same bytes.
    let mut shared = zip(&[member.clone(), Member { name: "h.1.npy".to_owned(), ..member }]);
    let entry = shared.windows(4).rposition(|four| four == b"PK\x01\x02").unwrap();
    shared[entry + 42..entry + 46].fill(0);
    refused("dump.npz", &shared, &["overlaps"]);
    // An end that counts more entries than a file may have, by the record for large files.
    let start = [&b"PK\x03\x04"[..], &[0; 26]].concat();
    let mut large = [&b"PK\x06\x06"[..], &[0; 28]].concat();
    large.extend([u64::MAX, 0, start.len() as u64].map(u64::to_le_bytes).concat());
    let pointer = [&b"PK\x06\x07"[..], &[0; 4], &(start.len() as u64).to_le_bytes(), &[0; 4]].concat();
    let end = [&b"PK\x05\x06"[..], &[0xff; 16], &[0, 0]].concat();
    refused("dump.npz", &[start, large, pointer, end].concat(), &["18446744073709551615 arrays"]);
}

#[test]
fn safetensors_headers_that_lie() {
    let two = |a: &str, b: &str| {
        let entry = |at: &str| format!(r#"{{"dtype":"F32","shape":[2,2],"data_offsets":[{at}]}}"#);
        safetensors_with(&format!(r#"{{"h.0":{},"h.1":{}}}"#, entry(a), entry(b)), &[0; 32])
    };
    assert!(read("dump.safetensors", &two("0,16", "16,32")).is_ok());
    for (a, b) in
        [("0,16", "8,24"), ("0,16", "0,16"), ("0,16", "20,36"), ("16,0", "16,32"), ("0,16", "16,40")]
    {
        refused("dump.safetensors", &two(a, b), &["damaged"]);
    }
    refused("dump.safetensors", &two("0,16", "18446744073709551600,18446744073709551615"), &["damaged"]);
    let twice = r#"{"h.0":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"h.0":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}}"#;
    refused("dump.safetensors", &safetensors_with(twice, &[0; 8]), &["`h.0` comes twice"]);
    let huge = format!(r#"{{"h.0":{{"dtype":"F32","shape":[{0},{0}],"data_offsets":[0,8]}}}}"#, usize::MAX);
    refused("dump.safetensors", &safetensors_with(&huge, &[0; 8]), &["damaged"]);
    refused("dump.safetensors", &u64::MAX.to_le_bytes(), &["18446744073709551615 bytes"]);
    refused("dump.safetensors", &safetensors_with(&"[".repeat(5000), &[]), &["damaged"]);
    let escape = "{\"\\u001b[31mh.0\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}";
    let refusal = read("dump.safetensors", &safetensors_with(escape, &[0; 4])).unwrap_err().to_string();
    assert!(!refusal.contains('\u{1b}'), "a file's name for a tensor reached the terminal as it was");
}

#[test]
fn too_many_tensors() {
    let entry = |i: usize| format!(r#""x.{i}":{{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}"#);
    let header = format!("{{{}}}", (0..=65_536).map(entry).collect::<Vec<_>>().join(","));
    refused("dump.safetensors", &safetensors_with(&header, &[]), &["more than 65536 tensors"]);
    // 20 MB of header, of which not a byte is parsed.
    let long = format!("{{{}}}", " ".repeat(20 << 20));
    refused("dump.safetensors", &safetensors_with(&long, &[]), &["20971522 bytes", "16777216"]);
}

static FILES: LazyLock<[(&str, Vec<u8>); 5]> = LazyLock::new(|| {
    let pickled = Array { descr: "|O", ..floats("note", &[3]) };
    let few = [
        floats("h.0", &[3, 2]),
        floats("h.1", &[3, 2]),
        floats("a.0", &[3, 2]),
        integers("labels", &[0, 1, 2]),
    ];
    [
        ("a.npz", npz(&[&whole(3)[..], &[pickled]].concat())),
        ("b.npz", npz_compressed(&few)),
        ("c.safetensors", safetensors(&whole(3))),
        ("d.npz", npz(&few)),
        (
            "e.npz",
            zip64(&few.each_ref().map(|array| Member::stored(&format!("{}.npy", array.name), &npy(array)))),
        ),
    ]
});

/// One change to a file: where, as a share of its length, and what.
#[derive(Clone, Debug)]
enum Change {
    Bytes(f64, Vec<u8>),
    Large(f64, usize),
    Cut(f64),
    Delete(f64, usize),
    Double(f64, f64),
}

fn change() -> impl Strategy<Value = Change> {
    // Headers are at the start and, in a zip, at the end: most changes should go there.
    let place = prop_oneof![
        0.0..1.0,
        (0.0..1.0f64).prop_map(|x| x.powi(4)),
        (0.0..1.0f64).prop_map(|x| 1.0 - x.powi(4))
    ];
    prop_oneof![
        4 => (place.clone(), prop::collection::vec(any::<u8>(), 1..5)).prop_map(|(at, bytes)| Change::Bytes(at, bytes)),
        3 => (place.clone(), 1..9usize).prop_map(|(at, length)| Change::Large(at, length)),
        1 => place.clone().prop_map(Change::Cut),
        1 => (place.clone(), 1..60usize).prop_map(|(at, length)| Change::Delete(at, length)),
        1 => (place.clone(), place).prop_map(|(from, to)| Change::Double(from, to)),
    ]
}

impl Change {
    fn apply(&self, file: &mut Vec<u8>) {
        let place = |share: f64| ((share * file.len() as f64) as usize).min(file.len());
        match self {
            Self::Bytes(at, bytes) => {
                let at = place(*at);
                file.iter_mut().skip(at).zip(bytes).for_each(|(old, new)| *old = *new);
            }
            Self::Large(at, length) => {
                let at = place(*at);
                file.iter_mut().skip(at).take(*length).for_each(|byte| *byte = 0xff);
            }
            Self::Cut(at) => file.truncate(place(*at)),
            Self::Delete(at, length) => {
                let at = place(*at);
                file.drain(at..(at + length).min(file.len()));
            }
            Self::Double(from, to) => {
                let a = place(*from);
                let b = place(*to);
                let copy = file[a.min(b)..a.max(b)].to_vec();
                file.splice(a..a, copy);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_file_makes_it_panic(which in 0..5usize, held in any::<bool>(), changes in prop::collection::vec(change(), 1..5)) {
        let (name, mut content) = FILES[which].clone();
        for change in &changes {
            change.apply(&mut content);
        }
        let (_folder, path) = file(name, &content);
        // Either is enough for the values of all of them, and the larger for holding the files as well.
        let limit = if held { 1 << 18 } else { 1 << 12 };
        match dump::read_within(&path, limit) {
            Ok(dump) => prop_assert!(dump.samples > 0 && dump.hidden.iter().all(|rows| rows.len() == dump.samples)),
            Err(refusal) => prop_assert!(refusal.to_string().len() > name.len() + 20),
        }
    }

    #[test]
    fn random_bytes_are_refused(start in 0..4usize, bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let starts: [&[u8]; 4] = [b"", b"PK\x03\x04", b"PK\x05\x06", b"\x40\0\0\0\0\0\0\0{\"h.0\":"];
        prop_assert!(read("dump.npz", &[starts[start], &bytes].concat()).is_err());
    }
}
