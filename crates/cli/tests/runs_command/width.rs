//! What is printed fits a terminal of 80 columns, whatever the runs are called.

use crate::common::{creditscope, program, recipe, text};
use crate::made::RECIPE;
use std::path::PathBuf;

fn kept(below: &str) -> String {
    let results = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results"));
    results.canonicalize().expect("kept records").join(below).display().to_string()
}

/// Lines that are too wide, but for those that a path or a command makes so.
fn check(what: &str, said: &str) {
    let too_wide = said.lines().filter(|line| line.chars().count() > 80);
    let too_wide: Vec<&str> = too_wide.filter(|line| !line.contains('/') || line.contains('─')).collect();
    assert!(too_wide.is_empty(), "{what}:\n{}", too_wide.join("\n"));
}

#[test]
fn records_with_long_names_fit() {
    let all = kept("");
    let one = kept("main/dfa-s42");
    let other = kept("unclipped/main/dfa-s42");
    let log = kept("mechanism");
    let calls: [&[&str]; 4] = [
        &["runs", "list", &all],
        &["runs", "show", &one],
        &["runs", "diff", &one, &other],
        &["audit", &log, "--log"],
    ];
    for words in calls {
        let output = creditscope(words);
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        check(&words[..2].join(" "), &text(&output.stdout));
    }
    // Names in a list are paths and are cut as well.
    let listed = text(&creditscope(&["runs", "list", &all]).stdout);
    assert!(listed.lines().all(|line| line.chars().count() <= 80), "{listed}");
}

#[test]
fn the_end_of_a_run_fits() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    recipe(folder.path(), RECIPE);
    let out = "runs/a-name-that-somebody-chose";
    let mut command = program();
    command.current_dir(folder.path()).args(["run", "recipe.toml", "--out", out]);
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains(&format!("4 runs in {out}, in ")), "{said}");
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
}
