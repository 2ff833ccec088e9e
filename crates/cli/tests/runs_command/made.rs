//! Trained runs, the command, and its output word by word.

use crate::common::{creditscope, program, recipe, text};
use std::path::{Path, PathBuf};

pub(crate) const RECIPE: &str = "
name = 'tiny'
data.name = 'digits'
net.d = 16
net.blocks = 2
rule.name = ['bp', 'dfa']
train.epochs = 3
eval.samples = 64
audit.samples = 40
audit.draws = 3
seed = [1, 2]
";

/// Trains the recipe into `out`; runs that stop are welcome.
pub(crate) fn train(out: &Path, more: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recipe = recipe(folder.path(), RECIPE);
    let output =
        program().arg("run").arg(&recipe).arg("--out").arg(out).args(more).output().expect("it starts");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
}

/// Exit code, standard output, standard error.
pub(crate) fn runs(args: &[&str]) -> (i32, String, String) {
    let output = creditscope(&[&["runs"], args].concat());
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

pub(crate) fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The words of the line that begins with `name`.
pub(crate) fn row<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.split("  ").next() == Some(name));
    line.unwrap_or_else(|| panic!("no line {name} in\n{text}")).split_whitespace().collect()
}

/// Whether a printed number is this one: two digits are shown, so it may be off by a twentieth.
pub(crate) fn reads(word: &str, x: f64) -> bool {
    word.parse::<f64>().is_ok_and(|y| (x - y).abs() <= 0.051 * x.abs())
}

/// Whether a printed share or cosine is this one, to its three digits.
pub(crate) fn reads_share(word: &str, x: f64) -> bool {
    word.parse::<f64>().is_ok_and(|y| (x - y).abs() <= 5.001e-4)
}

/// Puts text in place of other text in a file of a run.
pub(crate) fn edit(file: PathBuf, from: &str, to: &str) {
    let text = std::fs::read_to_string(&file).expect("the file is there");
    assert!(text.contains(from), "{from} in {text}");
    std::fs::write(file, text.replacen(from, to, 1)).expect("it can be written");
}
