//! What the tests of the program share: running it, and comparing what it leaves.

#![expect(dead_code, reason = "each test binary uses its own part of this")]

use safetensors::SafeTensors;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program, with an empty data folder so that nothing on this machine can leak in.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_creditscope"));
    command.env("CREDITSCOPE_DATA", "/nonexistent/creditscope-tests").env("NO_COLOR", "1");
    command
}

pub(crate) fn creditscope(args: &[&str]) -> Output {
    program().args(args).output().expect("the program starts")
}

/// Writes a recipe into the folder and returns its path.
pub(crate) fn recipe(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("recipe.toml");
    std::fs::write(&path, text).expect("a temporary folder can be written");
    path
}

/// The metrics of a run without its times.
pub(crate) fn metrics(run: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(run.join("metrics.jsonl")).expect("metrics");
    let line = |line: &str| {
        let mut value: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
        let object = value.as_object_mut().expect("an object");
        for time in ["train_seconds", "test_seconds", "evaluation_seconds", "audit_seconds"] {
            assert!(object.remove(time).is_some(), "{time}");
        }
        value
    };
    text.lines().map(line).collect()
}

/// Every tensor of a run's checkpoint, by name, to the byte.
pub(crate) fn tensors(run: &Path) -> Vec<(String, Vec<usize>, Vec<u8>)> {
    let bytes = std::fs::read(run.join("checkpoint.safetensors")).expect("a checkpoint");
    let all = SafeTensors::deserialize(&bytes).expect("a safetensors file");
    let mut tensors: Vec<_> = all
        .tensors()
        .into_iter()
        .map(|(name, view)| (name, view.shape().to_vec(), view.data().to_vec()))
        .collect();
    tensors.sort();
    tensors
}

/// Fails unless two runs left the same metrics and the same tensors.
pub(crate) fn assert_same(a: &Path, b: &Path) {
    assert_eq!(metrics(a), metrics(b), "metrics of {} and {}", a.display(), b.display());
    let (left, right) = (tensors(a), tensors(b));
    assert_eq!(left.len(), right.len());
    for (left, right) in left.iter().zip(&right) {
        assert!(left == right, "{} differs between {} and {}", left.0, a.display(), b.display());
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
