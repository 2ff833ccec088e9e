//! Trained runs.

use crate::common::{creditscope, program, recipe, text};
use std::path::Path;

/// Three seconds of training: two rules, two seeds, frozen baselines of one.
pub(crate) const SMALL: &str = "
name = 'small'
net.d = 16
net.blocks = 2
rule.name = ['bp', 'dfa']
train.epochs = 2
eval.samples = 64
seed = [1, 2]
";

/// Trains a recipe into a folder.
pub(crate) fn train(out: &Path, content: &str) {
    assert_eq!(train_with(out, content, &[]), 0);
}

/// The same with more words on the command line; returns the exit code.
pub(crate) fn train_with(out: &Path, content: &str, more: &[&str]) -> i32 {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recipe = recipe(folder.path(), content);
    let output =
        program().arg("run").arg(&recipe).arg("--out").arg(out).args(more).output().expect("it starts");
    print!("{}", text(&output.stderr));
    output.status.code().expect("an exit code")
}

/// Exit code, standard output, standard error.
pub(crate) fn export(words: &[&str]) -> (i32, String, String) {
    let output = creditscope(&[&["export"], words].concat());
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

pub(crate) fn shown(path: &Path) -> String {
    path.display().to_string()
}
