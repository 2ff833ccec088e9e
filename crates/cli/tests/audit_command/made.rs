//! Trained runs, copies of them, and the command.

use crate::common::{creditscope, program, recipe, text};
use record::audit::AuditSet;
use std::path::Path;
use std::process::Output;
use std::sync::OnceLock;

pub(crate) const RECIPE: &str = "
data.name = 'digits'
net.d = 24
net.blocks = 2
rule.name = ['bp', 'fa', 'dfa']
rule.frozen = [false, true]
train.epochs = 4
train.batch = 64
eval.samples = 200
audit.every = 2
audit.samples = 64
audit.draws = 5
seed = [1, 2]
";

/// Few directions and draws, so that a test takes its time elsewhere.
pub(crate) const FEW: [&str; 6] = ["--samples", "150", "--directions", "4", "--draws", "6"];

/// Trains the recipe once for all tests that only look.
pub(crate) fn trained() -> &'static Path {
    static RUNS: OnceLock<tempfile::TempDir> = OnceLock::new();
    RUNS.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        train(RECIPE, &folder.path().join("runs"));
        folder
    })
    .path()
}

pub(crate) fn train(content: &str, out: &Path) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recipe = recipe(folder.path(), content);
    let output = creditscope(&["run", &recipe.display().to_string(), "--out", &out.display().to_string()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    output
}

/// A copy of some runs as training left them, without the audits that other tests may have written.
pub(crate) fn copy(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in names {
        let from = trained().join("runs").join(name);
        let to = folder.path().join(name);
        std::fs::create_dir(&to).expect("a new folder");
        for file in ["recipe.toml", "run.json", "metrics.jsonl", "checkpoint.safetensors"] {
            std::fs::copy(from.join(file), to.join(file)).expect("a copy");
        }
    }
    folder
}

pub(crate) fn audit(paths: &[&Path], more: &[&str]) -> Output {
    program().arg("audit").args(paths).args(FEW).args(more).output().expect("the program starts")
}

pub(crate) fn set(output: &Output) -> AuditSet {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output.stderr)))
}

pub(crate) fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    text(&output.stderr)
}
