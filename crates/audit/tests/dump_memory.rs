//! Dumps of arrays in memory: the same dump and the same audit as from a file, but for where it comes from.

mod dump_common;

use audit::dump::{self, Array, Dump, DumpOptions, Origin, Values};
use dump_common::network::*;
use dump_common::{file, floats, from_memory, integers, npz, npz_compressed, read, safetensors, whole};
use record::audit::{Audit, CheckId, Subject};
use sha2::{Digest, Sha256};

/// The dump as if it came from nowhere.
fn anonymous(dump: Dump) -> Dump {
    Dump { origin: Origin::Memory { name: String::new() }, ..dump }
}

/// The audit without what depends on the clock and on where the dump came from.
fn timeless(audit: Audit) -> Audit {
    Audit {
        seconds: 0.0,
        subject: Subject::Dump { id: String::new(), rule: None, seed: None, hashes: Vec::new() },
        ..audit
    }
}

/// Gradients of a mean over 128 samples.
fn of_a_mean() -> Vec<dump_common::Array> {
    let arrays = scaled(&network(), "p.", 1.0 / 128.0);
    let renamed =
        |array: dump_common::Array| dump_common::Array { name: array.name.replace("p.", "g."), ..array };
    arrays.into_iter().map(renamed).collect()
}

#[test]
fn the_same_tensors_make_the_same_dump() {
    let half = |descr, name: &str| dump_common::Array {
        descr,
        bytes: [0x3c00u16, 0x3555, 0xc000, 1, 0x7bff, 0x8000].map(u16::to_le_bytes).concat(),
        ..floats(name, &[2, 3])
    };
    let halves =
        [half("<f2", "h.0"), half("bf16", "h.1"), integers("labels", &[3, 1]), floats("hidden_2", &[2])];
    let files = |arrays: &[dump_common::Array]| {
        [
            ("dump.npz", npz(arrays)),
            ("dump.npz", npz_compressed(arrays)),
            ("a.safetensors", safetensors(arrays)),
        ]
    };
    for (name, content) in files(&whole(4)).into_iter().chain([("b.safetensors", safetensors(&halves))]) {
        let arrays = if name == "b.safetensors" { &halves[..] } else { &whole(4) };
        let memory = from_memory("mine", arrays).unwrap();
        assert_eq!(memory.origin, Origin::Memory { name: "mine".to_owned() });
        assert_eq!(anonymous(read(name, &content).unwrap()), anonymous(memory), "{name}");
    }
    assert_eq!(from_memory("mine", &halves).unwrap().half, ["h.0", "h.1"]);
}

#[test]
fn the_same_tensors_give_the_same_audit() {
    let mean = DumpOptions { mean_over: Some(128), accuracy: Some(0.6), frozen: Some(0.5), ..quick() };
    for (arrays, options) in [
        (network(), DumpOptions::default()),
        (at_epoch(network(), Some(7)), quick()),
        (of_a_mean(), mean),
        (lacking(&network(), &["h.", "head", "out_ln"]), quick()),
    ] {
        let memory = from_memory("mine", &arrays).unwrap();
        let before = memory.clone();
        let audit = dump::judge(&memory, &options).unwrap();
        assert_eq!(memory, before, "judging changed the dump");
        assert_eq!(
            audit.subject,
            Subject::Dump { id: "mine".to_owned(), rule: None, seed: None, hashes: Vec::new() }
        );
        assert_eq!(timeless(judge(&arrays, &options)), timeless(audit));
    }
}

#[test]
fn epochs_in_memory_are_judged_as_files_are() {
    let epochs =
        [1.0, 90.0, 2.0].map(|factor| scaled(&lacking(&network(), &["head", "out_ln"]), "h.3", factor));
    let dumps = || epochs.iter().map(|arrays| from_memory("mine", arrays));
    let audit = dump::judge_epochs(dumps(), &quick()).unwrap();
    assert_eq!((audit.epoch, check(&audit, CheckId::D1).first_fired), (Some(3), Some(2)));
    assert_eq!(timeless(judge_all(&epochs, &quick()).unwrap()), timeless(audit));
    let narrow = from_memory("narrow", &[floats("h.0", &[4, 2])]);
    let refusal = dump::judge_epochs([dumps().next().unwrap(), narrow].into_iter(), &quick()).unwrap_err();
    assert!(refusal.to_string().starts_with("narrow: the widths of its states are 2,"), "{refusal}");
    let refusal = dump::judge_epochs([].into_iter(), &quick()).unwrap_err();
    assert_eq!(refusal.to_string(), "no dump: nothing is given to judge; give at least one dump");
}

#[test]
fn a_file_that_is_held_and_one_that_is_not_give_the_same_dump() {
    let arrays = [floats("h.0", &[500, 8]), floats("h.1", &[500, 8])];
    for (name, content) in [("dump.npz", npz(&arrays)), ("dump.safetensors", safetensors(&arrays))] {
        let (_folder, path) = file(name, &content);
        // Just enough for the values: the file itself is far more than an eighth of that.
        let streamed = dump::read_within(&path, 2 * 500 * 8 * 8).unwrap();
        let hash = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(streamed.origin, Origin::File { path: path.clone(), hash });
        assert_eq!(dump::read(&path).unwrap(), streamed, "{name}");
    }
}

#[test]
fn arrays_that_are_not_what_they_say_are_refused() {
    let refused = |name, shape: &[usize], values, words: &[&str]| {
        let refusal = Dump::from_arrays("mine", &[Array { name, shape, values }]).unwrap_err().to_string();
        assert!(words.iter().all(|word| refusal.contains(word)), "{words:?} in: {refusal}");
        assert!(refusal.starts_with("mine: ") && !refusal.contains("damaged"), "{refusal}");
    };
    let six = Values::F64(&[1.0; 6]);
    refused("h.0", &[2, 4], six, &["h.0: its shape is (2, 4), and it has 6 values", "row-major"]);
    refused("h.0", &[usize::MAX, usize::MAX], six, &["h.0", "6 values"]);
    refused("h.0", &[0, usize::MAX, usize::MAX], Values::F64(&[]), &["h.0", "0 values"]);
    refused("h.0", &[1; 65], Values::F64(&[1.0]), &["h.0", "1 values"]);
    refused("h.0", &[], Values::F64(&[1.0]), &["h.0", "samples × features"]);
    refused("h\u{1b}", &[6], six, &["neither hidden states", "h␛"]);
    let twice = Array { name: "h.0", shape: &[2, 3], values: six };
    let refusal = Dump::from_arrays("mine\u{1b}", &[twice, twice]).unwrap_err().to_string();
    assert_eq!(refusal, "mine␛: both `h.0` and `h.0` are h.0; save it once");
    let refusal = Dump::from_arrays("mine", &[]).unwrap_err().to_string();
    assert!(refusal.contains("the dump is empty"), "{refusal}");
}
