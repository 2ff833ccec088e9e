//! Dumps that are accepted: every format, type and order, whole and partial, by the names of the layout.

mod dump_common;

use audit::dump::{self, Dump, Ignored, Loss, Origin};
use dump_common::*;
use std::path::Path;

/// The content, without where it came from.
fn bare(dump: Dump) -> Dump {
    Dump { origin: Origin::Memory { name: String::new() }, ..dump }
}

fn fixture(name: &str) -> Dump {
    dump::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
}

#[test]
fn the_same_tensors_give_the_same_dump_from_every_kind_of_file() {
    let arrays = whole(4);
    let dump = read("dump.npz", &npz(&arrays)).unwrap();
    assert_eq!((dump.samples, dump.blocks, dump.about.epoch), (4, 2, Some(12)));
    assert_eq!(dump.hidden.iter().map(|rows| rows.width).collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!(dump.hidden[1].iter().nth(2).unwrap(), [1.0, 1.125, 1.25, 1.375]);
    assert_eq!(dump.labels.as_deref(), Some(&[0, 1, 2, 0][..]));
    assert_eq!(dump.credit.blocks[1].len(), 4);
    let head = dump.head.as_ref().unwrap();
    assert_eq!((head.weight.len(), head.weight.width), (3, 5));
    assert_eq!(head.norm.as_ref().unwrap().eps, 1e-5);
    let gradients = dump.gradients.as_ref().unwrap();
    assert_eq!((gradients.of, gradients.factor(None)), (Loss::Own, 1.0));
    let dump = bare(dump);
    assert_eq!(bare(read("dump.npz", &npz_compressed(&arrays)).unwrap()), dump);
    assert_eq!(bare(read("dump.safetensors", &safetensors(&arrays)).unwrap()), dump);
    // Content decides, whatever the file is called.
    assert_eq!(bare(read("dump.bin", &safetensors(&arrays)).unwrap()), dump);
    assert_eq!(bare(read("dump.safetensors", &npz(&arrays)).unwrap()), dump);
}

#[test]
fn large_numbers_are_read_from_where_zip_puts_them() {
    let member = |array: &Array| Member::deflated(&format!("{}.npy", array.name), &npy(array));
    let members: Vec<Member> = whole(4).iter().map(member).collect();
    let plain = bare(read("dump.npz", &zip(&members)).unwrap());
    assert_eq!(bare(read("dump.npz", &zip64(&members)).unwrap()), plain);
}

#[test]
fn separators_of_names_may_vary() {
    let renamed = whole(4).into_iter().map(|array| Array { name: array.name.replace('.', "_"), ..array });
    let dump = bare(read("dump.npz", &npz(&whole(4))).unwrap());
    assert_eq!(bare(read("dump.npz", &npz(&renamed.collect::<Vec<_>>())).unwrap()), dump);
    let renamed = whole(4).into_iter().map(|array| Array { name: array.name.replace('.', "/"), ..array });
    assert_eq!(bare(read("dump.npz", &npz(&renamed.collect::<Vec<_>>())).unwrap()), dump);
}

#[test]
fn a_partial_dump_is_what_it_is() {
    let norms_only = read("h.npz", &npz(&without(&["p", "a", "l", "head", "out", "e"]))).unwrap();
    assert_eq!((norms_only.blocks, norms_only.gradients, norms_only.head), (2, None, None));
    let without_states = read("p.npz", &npz(&without(&["h."]))).unwrap();
    assert_eq!((without_states.blocks, without_states.hidden.len()), (2, 0));
    assert_eq!(without_states.credit.blocks.len(), 2);
    assert!(read("blocks.npz", &npz(&without(&["a.embed"]))).unwrap().credit.embed.is_none());
    assert!(read("embed.npz", &npz(&without(&["a.0", "a.1"]))).unwrap().credit.blocks.is_empty());
    assert!(read("plain.npz", &npz(&without(&["out_ln"]))).unwrap().head.unwrap().norm.is_none());
}

#[test]
fn gradients_of_a_mean_are_told_from_those_of_each_sample() {
    let arrays = whole(4).into_iter().map(|array| Array { name: array.name.replace("p.", "g."), ..array });
    let gradients = read("g.npz", &npz(&arrays.collect::<Vec<_>>())).unwrap().gradients.unwrap();
    assert_eq!(gradients.of, Loss::Mean);
    assert_eq!((gradients.factor(None), gradients.factor(Some(128))), (4.0, 128.0));
}

#[test]
fn other_tensors_are_left_aside_and_listed_with_what_they_may_have_meant() {
    let mut arrays = with(vec![floats("lables", &[4]), floats("directions", &[4, 2])]);
    // Nothing of it is looked at, not even a pickle.
    arrays.push(Array { descr: "|O", ..floats("config", &[1]) });
    let dump = read("dump.npz", &npz(&arrays)).unwrap();
    let ignored =
        |name: &str, meant: Option<&str>| Ignored { name: name.to_owned(), meant: meant.map(str::to_owned) };
    assert_eq!(
        dump.ignored,
        [ignored("config", None), ignored("directions", None), ignored("lables", Some("labels"))]
    );
}

#[test]
fn half_precision_is_read_and_noted() {
    let one = |descr, bits: u16| Array {
        name: "a.embed".to_owned(),
        descr,
        shape: vec![4, 3],
        bytes: [bits.to_le_bytes(); 12].concat(),
    };
    for (content, value) in [
        (npz(&with(vec![one("<f2", 0x3e00)])), 1.5),
        (safetensors(&with(vec![one("<f2", 0x3e00)])), 1.5),
        (safetensors(&with(vec![one("bf16", 0x3fa0)])), 1.25),
    ] {
        let dump = read("dump.npz", &content).unwrap();
        assert_eq!(dump.credit.embed.unwrap().values, [value; 12]);
        assert_eq!(dump.half, ["a.embed"]);
    }
}

#[test]
fn numbers_that_are_not_finite_are_legal() {
    let bytes = [f32::NAN, f32::INFINITY, -0.0].map(f32::to_le_bytes).concat().repeat(4);
    let dump = read("dump.npz", &npz(&with(vec![Array { bytes, ..floats("h.0", &[4, 3]) }]))).unwrap();
    assert!(dump.hidden[0].values[0].is_nan() && dump.hidden[0].values[1] == f64::INFINITY);
}

#[test]
fn what_numpy_writes_is_read_in_every_type_and_order() {
    let dump = fixture("dump_layouts.npz");
    // By the definition in oracles/dump_numpy.py; all of these are exact in half precision.
    let expected: Vec<f64> = (0..24).map(|i| (f64::from(i) - 11.0) / 4.0).collect();
    for rows in &dump.hidden {
        assert_eq!((rows.width, &rows.values), (6, &expected));
    }
    let turned = &dump.gradients.as_ref().unwrap().layers[3].values;
    // The last two indices are exchanged: row s, then k of 3, then j of 2.
    let exchanged: Vec<f64> = (0..4)
        .flat_map(|s| (0..3).flat_map(move |k| (0..2).map(move |j| s * 6 + j * 3 + k)))
        .map(|i| expected[i])
        .collect();
    assert_eq!(turned, &exchanged);
    assert_eq!(dump.labels, Some(vec![3, 0, 1, 2]));
    assert_eq!((dump.samples, dump.blocks, dump.about.epoch), (4, 4, Some(3)));
    assert_eq!(dump.half, ["h.2", "h.3"]);
    assert_eq!(dump.ignored.iter().map(|ignored| ignored.name.as_str()).collect::<Vec<_>>(), ["note"]);
}

#[test]
fn single_and_double_precision_of_one_network_agree() {
    let single = fixture("dump_f32.npz");
    let double = fixture("dump_f64.npz");
    assert_eq!((double.samples, double.blocks, double.hidden[3].width), (40, 3, 12));
    assert_eq!(single.labels, double.labels);
    assert!(single.half.is_empty() && single.origin != double.origin);
    for (single, double) in single.hidden.iter().zip(&double.hidden) {
        let worst = single.values.iter().zip(&double.values).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(worst > 0.0 && worst < 1e-5, "{worst}");
    }
}
