//! Dumps that do not fit together, each refused with the names of the file and the tensors, and a remedy.

mod dump_common;

use dump_common::*;

/// The refusal of these tensors, in both kinds of file; and from memory, in the same words.
#[track_caller]
fn layout(arrays: &[Array], words: &[&str]) {
    refused("dump.npz", &npz(arrays), words);
    refused("dump.safetensors", &safetensors(arrays), words);
    let fault = |refusal: audit::dump::Error| refusal.fault.to_string();
    let from_file = read("dump.npz", &npz(arrays)).map_err(fault);
    let refusal = from_memory("mine", arrays).unwrap_err();
    assert!(refusal.to_string().starts_with("mine: "), "{refusal}");
    assert_eq!(from_file, Err(fault(refusal)));
}

#[test]
fn files_of_other_kinds() {
    let missing = audit::dump::read("nowhere/dump.npz".as_ref()).unwrap_err().to_string();
    assert!(missing.starts_with("nowhere/dump.npz: cannot be read: "), "{missing}");
    let folder = tempfile::tempdir().unwrap();
    assert!(audit::dump::read(folder.path()).unwrap_err().to_string().contains("not a regular file"));
    refused("dump.npz", b"", &["empty", "numpy.savez"]);
    refused("dump.npz", b"accuracy: 0.31, cosine: 0.4", &["not a zip file", "numpy.savez"]);
    refused("dump.csv", b"accuracy, cosine", &["neither an .npz nor a .safetensors", "docs/foreign-runs.md"]);
    refused("h.npy", &npy(&floats("h.0", &[4, 3])), &["single NumPy array", "numpy.savez"]);
    refused("dump.pt", b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.", &["pickle", "not run", "save_file"]);
    let torch = zip(&[
        Member::stored("archive/data.pkl", b"\x80\x02}q\0."),
        Member::stored("archive/version", b"3\n"),
    ]);
    refused("model.pth", &torch, &["PyTorch file", "not run", "save_file"]);
}

#[test]
fn tensors_that_hold_no_numbers() {
    let objects = Array { descr: "|O", ..floats("h.0", &[4, 3]) };
    refused("dump.npz", &npz(&with(vec![objects])), &["h.0", "Python objects", "never opened"]);
    let words = Array { descr: "<U1", ..floats("labels", &[4]) };
    refused("dump.npz", &npz(&with(vec![words])), &["labels", "it is a text", "int64"]);
    let complex = Array { descr: "<c8", ..floats("p.1", &[4, 2]) };
    refused("dump.npz", &npz(&with(vec![complex])), &["p.1", "complex"]);
    let brain = Array { descr: "|V2", ..floats("p.1", &[4, 2]) };
    refused("dump.npz", &npz(&with(vec![brain])), &["p.1", "bfloat16", "float32"]);
    let header = r#"{"h.0":{"dtype":"F8_E4M3","shape":[2,2],"data_offsets":[0,4]}}"#;
    refused("dump.safetensors", &safetensors_with(header, &[0; 4]), &["h.0", "F8_E4M3", "F32"]);
}

#[test]
fn nothing_to_judge() {
    layout(
        &[floats("hidden_0", &[4, 3]), floats("loss", &[4])],
        &["neither hidden states", "`hidden_0` (meant as h.0?)"],
    );
    layout(&without(&["h.", "p."]), &["neither hidden states", "a.0"]);
    refused("dump.npz", &zip(&[]), &["neither hidden states", "empty"]);
}

#[test]
fn gaps_and_depths() {
    layout(&without(&["h.1"]), &["h.2 is in the dump and h.1 is not"]);
    layout(&without(&["p.0"]), &["p.1 is in the dump and p.0 is not"]);
    layout(&without(&["a.0"]), &["a.1 is in the dump and a.0 is not", "zeros"]);
    layout(&with(vec![floats("a.2", &[4, 5])]), &["h.2", "a.2", "a.0 … a.1"]);
    layout(&without(&["p.2"]), &["h.2", "p.1"]);
    layout(&with(vec![floats("h.999999", &[4, 5])]), &["h.999999", "h.3 is not"]);
}

#[test]
fn samples_and_widths() {
    layout(&with(vec![floats("a.1", &[3, 5])]), &["h.0 has 4 samples", "a.1 has 3"]);
    layout(&with(vec![integers("labels", &[0, 1, 2])]), &["h.0 has 4 samples", "labels has 3"]);
    layout(&with(vec![floats("logits", &[5, 3])]), &["h.0 has 4 samples", "logits has 5"]);
    layout(&with(vec![floats("p.1", &[4, 3])]), &["p.1 has 3 features", "h.1 has 4"]);
    layout(&with(vec![floats("a.0", &[4, 3])]), &["a.0 has 3 features", "h.1 has 4", "h.{l+1}"]);
    layout(&with(vec![floats("a.embed", &[4, 4])]), &["a.embed has 4 features", "h.0 has 3"]);
    layout(&with(vec![floats("h.0", &[12])]), &["h.0", "(12,)", "samples × features"]);
    layout(&with(vec![scalar("h.0", 1.0)]), &["h.0", "samples × features"]);
    layout(&whole(0), &["h.0", "(0, 3)", "it is empty"]);
    layout(&with(vec![floats("h.0", &[4, 0])]), &["h.0", "(4, 0)", "it is empty"]);
}

#[test]
fn references_of_both_kinds() {
    layout(&with(vec![floats("g.0", &[4, 3])]), &["both p.0 and g.0", "not both"]);
    layout(&with(vec![floats("h_0", &[4, 3])]), &["h.0", "h_0", "save it once"]);
}

#[test]
fn labels_and_epoch() {
    layout(&with(vec![integers("labels", &[0, 1, 3, 0])]), &["labels", "sample 2 is 3", "3 classes"]);
    layout(&with(vec![integers("labels", &[0, -100, 1, 0])]), &["labels", "sample 1 is -100"]);
    layout(&with(vec![floats("labels", &[4])]), &["labels", "not integers", "int64"]);
    layout(&with(vec![floats("labels", &[4, 3])]), &["labels", "(4, 3)", "argmax"]);
    layout(&with(vec![scalar("labels", 1.0)]), &["labels", "one label per sample"]);
    layout(&with(vec![scalar("epoch", 2.5)]), &["epoch", "single integer"]);
    layout(&with(vec![scalar("epoch", f64::NAN)]), &["epoch", "single integer"]);
    layout(&with(vec![integers("epoch", &[1, 2])]), &["epoch", "single integer"]);
    let unknown_classes: Vec<Array> = without(&["logits", "head", "labels"])
        .into_iter()
        .filter(|array| !array.name.starts_with("out"))
        .collect();
    let with_labels = |labels: &[i64]| [&unknown_classes[..], &[integers("labels", labels)]].concat();
    assert!(read("dump.npz", &npz(&with_labels(&[9, 0, 7, 3]))).is_ok());
    layout(&with_labels(&[9, 0, i64::MAX, 3]), &["labels", "sample 2"]);
}

#[test]
fn heads_that_do_not_fit() {
    layout(&with(vec![floats("head.weight", &[5, 3])]), &["head.weight", "(5, 3)", "h.2 has 5 features"]);
    layout(&with(vec![floats("head.weight", &[15])]), &["head.weight", "(15,)", "classes × features"]);
    layout(&with(vec![floats("head.bias", &[4])]), &["head.bias", "(4,)", "classes is 3"]);
    layout(&with(vec![floats("out_ln.weight", &[4])]), &["out_ln.weight", "features is 5"]);
    layout(&with(vec![floats("logits", &[4, 2])]), &["logits has 2 classes", "head.weight has 3"]);
    layout(&without(&["head.weight"]), &["head.bias is in the dump and head.weight is not"]);
    layout(&without(&["out_ln.weight"]), &["out_ln.bias is in the dump and out_ln.weight is not", "ones"]);
    layout(&with(vec![scalar("out_ln.eps", -1.0)]), &["out_ln.eps", "1e-5"]);
}
