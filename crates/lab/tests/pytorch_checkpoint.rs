//! PyTorch takes our checkpoint with `load_state_dict(strict=True)` and gives the same logits.

mod common;

use common::{SMALL, runs, train};
use data::View;
use lab::Checkpoint;
use nn::{Network, Tape};
use record::Run;
use rules::Learner;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use std::path::Path;
use std::process::Command;

const ROWS: usize = 50;

/// The logits of a saved run on the first test samples, and the samples themselves.
fn ours(recipe: &str, directory: &Path) -> (Vec<f32>, Vec<f32>) {
    let spec = runs(recipe).remove(0);
    let data = data::load(&spec.source, &data::Folder::at("/nonexistent")).expect("built in");
    let net = spec.net.clone();
    // Another seed, so that only what is read from the file can make the logits agree.
    let mut learner = Learner::new(net, &spec.rule, spec.modifiers, spec.seed + 1).expect("known");
    let of = record::RunRecord::read(directory).expect("a record").provenance;
    Checkpoint::read(directory, &of, &mut learner).expect("whole").expect("there");
    let mut x = vec![0.0; ROWS * data.inputs];
    for (i, row) in x.chunks_exact_mut(data.inputs).enumerate() {
        data.test.write(i, View::Plain, row);
    }
    let mut tape = Network::<f32>::tape(&learner.net, ROWS);
    learner.net.forward(&learner.params, &x, ROWS, &mut tape);
    (x, tape.logits().to_vec())
}

#[test]
#[cfg_attr(
    not(with_python),
    ignore = "set CREDITSCOPE_PYTHON to a Python that can import torch and safetensors"
)]
fn pytorch_loads_our_checkpoint_and_gives_the_same_logits() {
    let python = std::env::var_os("CREDITSCOPE_PYTHON").expect("the variable was there at build time");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/load_checkpoint.py");
    let out = tempfile::tempdir().expect("a temporary folder");
    for (name, more, flags) in [
        ("resmlp", "rule.name = 'fa'", vec!["--network", "resmlp"]),
        ("noln", "net.out_ln = false\nrule.name = 'dfa'", vec!["--network", "resmlp", "--no-out-ln"]),
        ("noskip", "net.skip = false\nnet.w2_std = 0.2", vec!["--network", "resmlp", "--no-skip"]),
        ("student", "net.name = 'student'\nnet.alpha = 0.5", vec!["--network", "student", "--alpha", "0.5"]),
    ] {
        let (recipe, folder) = (format!("{SMALL}{more}"), out.path().join(name));
        let directory = train(&recipe, &folder).remove(0).path;
        let (x, logits) = ours(&recipe, &directory);
        let bytes: Vec<u8> = x.iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = TensorView::new(Dtype::F32, vec![ROWS, x.len() / ROWS], &bytes).expect("a matrix");
        let (inputs, answer) = (folder.join("x.safetensors"), folder.join("logits.safetensors"));
        std::fs::write(&inputs, safetensors::serialize([("x", view)], None).expect("bytes")).expect("write");
        let output = Command::new(&python)
            .arg(&script)
            .args(["--d", "20", "--blocks", "3", "--inputs-size", "64", "--classes", "10"])
            .args(flags)
            .arg("--checkpoint")
            .arg(directory.join(Run::CHECKPOINT))
            .arg("--inputs")
            .arg(&inputs)
            .arg("--out")
            .arg(&answer)
            .env("CUDA_VISIBLE_DEVICES", "")
            .output()
            .expect("Python starts");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let bytes = std::fs::read(&answer).expect("logits");
        let answer = SafeTensors::deserialize(&bytes).expect("safetensors");
        let view = answer.tensor("logits").expect("logits");
        let theirs: Vec<f32> =
            view.data().chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        assert_eq!(theirs.len(), logits.len());
        let largest = logits.iter().fold(0.0f32, |m, z| m.max(z.abs()));
        for (a, b) in logits.iter().zip(&theirs) {
            assert!((a - b).abs() <= 1e-5 * largest, "{name}: {a} here, {b} in PyTorch");
        }
    }
}
