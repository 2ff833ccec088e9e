//! Limits of the system: threads that cannot be had are not missed.

use crate::common::{assert_same, program, recipe, text};

/// No system has room for a stack of this size, so that no thread can start at all.
const TOO_MUCH: &str = "1000000000000000";

#[test]
fn a_run_without_threads_is_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let recipe = recipe(
        folder.path(),
        "data.name = 'digits'\nnet.d = 16\nnet.blocks = 2\nrule.name = ['bp', 'dfa']\ntrain.epochs = 2\naudit.samples = 40\n",
    );
    let [with, without] = ["with", "without"].map(|name| folder.path().join(name));
    for (out, stack) in [(&with, None), (&without, Some(TOO_MUCH))] {
        let mut command = program();
        command.args(["run", &recipe.display().to_string(), "--out", &out.display().to_string()]);
        command.args(["--threads", "3", "--jobs", "2"]);
        stack.into_iter().for_each(|stack| {
            command.env("RUST_MIN_STACK", stack);
        });
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        // The thread that waits for signals is missed, in words.
        assert_eq!(text(&output.stderr).contains("without saving"), stack.is_some());
    }
    for run in ["bp-s42", "dfa-s42"] {
        assert_same(&with.join(run), &without.join(run));
    }
}
