//! Pickles that Python really wrote, pickles that want to run something, and noise.
//!
//! The fixtures and the script that makes them are in `tests/fixtures`.

use std::io::{Cursor, Read};

use proptest::prelude::*;

use super::input::Input;
use super::machine::Machine;
use super::value::Value;
use super::{PickleFault, open};

macro_rules! fixture {
    ($name:literal) => {
        inflate(include_bytes!(concat!("../../tests/fixtures/", $name, ".pkl.z")))
    };
}

fn inflate(packed: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    flate2::read::ZlibDecoder::new(packed).read_to_end(&mut content).unwrap();
    content
}

/// The batch as `make.py` defines it.
fn pixels() -> Vec<u8> {
    (0..4 * 3072).map(|n| (n / 3072, n % 3072)).map(|(i, j)| (7 * i + 13 * j + i * j) as u8).collect()
}

type Content = (Vec<i64>, Vec<u64>, Vec<u8>);

/// Labels, shape and pixels.
fn read(content: &[u8], key: &str) -> Result<Content, PickleFault> {
    let mut batch = open(Cursor::new(content), "data", key)?;
    let mut data = vec![0; 4 * 3072];
    batch.read_data(&mut data)?;
    Ok((batch.labels().to_vec(), batch.shape().to_vec(), data))
}

#[test]
fn every_way_in_which_python_writes_the_batch_gives_the_same_batch() {
    for (name, content) in [
        ("python2", fixture!("python2")),
        ("python3-2", fixture!("python3-2")),
        ("python3-3", fixture!("python3-3")),
        ("python3-4", fixture!("python3-4")),
        ("python3-5", fixture!("python3-5")),
        ("python3-bytes", fixture!("python3-bytes")),
    ] {
        let (labels, shape, data) = read(&content, "labels").unwrap_or_else(|f| panic!("{name}: {f:?}"));
        assert_eq!((labels, shape), (vec![3, 1, 4, 1], vec![4, 3072]), "{name}");
        assert!(data == pixels(), "{name}: other pixels");
    }
    assert_eq!(read(&fixture!("python2-fine"), "fine_labels").unwrap().0, [3, 1, 4, 1]);
}

#[test]
fn a_pickle_that_wants_to_run_something_is_refused_by_name() {
    for (content, global) in [
        (fixture!("hostile-system"), "posix.system"),
        (fixture!("hostile-eval"), "builtins.eval"),
        (fixture!("hostile-numpy"), "numpy.testing._private.utils.runstring"),
    ] {
        match open(Cursor::new(content), "data", "labels") {
            Err(PickleFault::Refused(name)) => assert_eq!(name, global),
            other => panic!("{global}: {:?}", other.err()),
        }
    }
}

fn complaint(content: &[u8]) -> String {
    match read(content, "labels") {
        Err(PickleFault::Malformed { what, .. }) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_batch_of_another_form_is_refused_with_the_reason() {
    assert!(complaint(&fixture!("fortran")).contains("column by column"));
    assert!(complaint(&fixture!("float")).contains("unsigned bytes"));
    assert!(complaint(&fixture!("no-labels")).contains("no `labels`"));
    assert!(complaint(b"(dp0\n.").contains("does not begin like a pickle"));
    assert!(complaint(b"\x80\x02]q\x00.").contains("does not hold a dictionary"));
    let whole = fixture!("python2");
    assert!(complaint(&whole[..whole.len() / 2]).contains("cut short"));
}

#[test]
fn lengths_beyond_the_file_and_floods_of_values_cost_no_memory() {
    // BINBYTES8 that announces 2^63 − 1 bytes.
    assert!(complaint(b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f.").contains("cut short"));
    // Ten million empty dictionaries, then ten million marks: stopped at the limit.
    for code in [b'}', b'(', b'N'] {
        let mut flood = b"\x80\x02".to_vec();
        flood.resize(10_000_000, code);
        assert!(complaint(&flood).contains("more than 1048576 values"));
    }
    // A tuple in a tuple, a hundred thousand deep, and a list that holds itself: no recursion to overflow.
    let mut deep = b"\x80\x02)".to_vec();
    deep.resize(100_000, 0x85);
    deep.push(b'.');
    assert!(complaint(&deep).contains("does not hold a dictionary"));
    assert!(complaint(b"\x80\x02]q\x00h\x00a.").contains("does not hold a dictionary"));
}

/// The expected bytes are those of Python's `pickle.encode_long`: little-endian, as few as hold the number and its sign.
#[test]
fn long_integers_keep_their_sign() {
    for (bytes, number) in [
        (&b""[..], 0),
        (b"\xff", -1),
        (b"\x80", -128),
        (b"\xff\x00", 255),
        (b"\x00\x01", 256),
        (b"\x7f\xff", -129),
        (b"\x00\x00\x00\x80\x00", 1 << 31),
        (b"\x00\x00\x00\x80", -(1 << 31)),
        (b"\xff\xff\xff\xff\xff\xff\xff\x7f", i64::MAX),
        (b"\x00\x00\x00\x00\x00\x00\x00\x80", i64::MIN),
    ] {
        let content = [b"\x80\x02\x8a", &[bytes.len() as u8][..], bytes, b"."].concat();
        let value = Machine::new(Input::new(Cursor::new(content)).unwrap()).run().unwrap();
        assert!(matches!(value, Value::Int(n) if n == number), "{number} from {bytes:?}: {value:?}");
    }
    assert!(
        complaint(b"\x80\x02\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x00.").contains("a number of 9 bytes")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn noise_never_panics(content in proptest::collection::vec(any::<u8>(), 0..400), version in 2u8..6) {
        let _ = read(&content, "labels");
        let _ = read(&[&[0x80, version], &content[..]].concat(), "labels");
    }

    #[test]
    fn programs_of_known_instructions_never_panic(
        codes in proptest::collection::vec(
            proptest::sample::select(&b"(0NKMJGUCTBX]})tlaesuqrhjcRb.\x85\x86\x87\x88\x89\x8a\x8c\x8d\x8e\x93\x94\x95\x96\x00\x01\x02"[..]),
            0..300,
        ),
    ) {
        let _ = read(&[&[0x80, 2], &codes[..]].concat(), "labels");
    }

    #[test]
    fn a_damaged_batch_never_panics(
        which in 0usize..4,
        hits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        end in any::<prop::sample::Index>(),
    ) {
        let mut content = match which {
            0 => fixture!("python2"),
            1 => fixture!("python3-2"),
            2 => fixture!("python3-4"),
            _ => fixture!("python3-5"),
        };
        // Aim at the structure, which is at the ends; the middle is pixels.
        let structure: Vec<usize> = (0..300).chain(content.len() - 150..content.len()).collect();
        for (at, byte) in hits {
            content[structure[at.index(structure.len())]] = byte;
        }
        let _ = read(&content, "labels");
        let _ = read(&content[..end.index(content.len())], "labels");
    }
}
