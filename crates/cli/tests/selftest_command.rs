//! `creditscope selftest` as a user meets it.

mod common;

use common::creditscope;
use std::path::PathBuf;

#[test]
fn the_self_test_names_every_fault_and_accuses_no_healthy_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let kept: PathBuf = folder.path().join("kept");
    let output = creditscope(&["selftest", "--seed", "5", "--json", "--out", &kept.display().to_string()]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let cases = told["cases"].as_array().expect("cases");
    let planted = cases.iter().filter(|case| !case["planted"].is_null()).count();
    assert_eq!((cases.len(), planted), (34, 14));
    assert!(output.status.success() && cases.iter().all(|case| case["right"] == true), "{told}");
    // The directories give nothing away: every recipe is one that anybody could have run.
    for case in cases {
        let run = kept.join(case["run"].as_str().expect("a name"));
        let files =
            ["recipe.toml", "run.json"].map(|file| std::fs::read_to_string(run.join(file)).expect("a file"));
        let words = files.concat().to_lowercase();
        for word in ["fault", "broken", "planted", "selftest"] {
            assert!(!words.contains(word), "{word} in {}", run.display());
        }
    }
}
