//! `creditscope audit` on dumps of other programs.

mod common;

use common::{program, text};
use record::audit::{AuditSet, Subject};
use std::path::{Path, PathBuf};
use std::process::Output;

/// A dump that NumPy wrote, whose gradients are of each sample's own loss.
fn dump() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../audit/tests/fixtures/dump_f64.npz")
}

fn audit(paths: &[&Path], more: &[&str]) -> Output {
    program().arg("audit").args(paths).args(more).output().expect("the program starts")
}

fn refused(paths: &[&Path], more: &[&str]) -> String {
    let output = audit(paths, more);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    text(&output.stderr)
}

#[test]
fn a_dump_is_judged_under_the_name_of_its_file() {
    let output = audit(&[&dump()], &["--json", "--accuracy", ".6", "--frozen-accuracy", ".5"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let set: AuditSet = serde_json::from_slice(&output.stdout).expect("an audit");
    let [found] = set.audits.as_slice() else { panic!("one audit: {set:?}") };
    let Subject::Dump { id, hashes, .. } = &found.subject else { panic!("a dump: {:?}", found.subject) };
    assert_eq!((id.as_str(), hashes.len()), ("dump_f64", 1));
    assert_eq!((found.samples, found.epoch, found.verdict.words().as_str()), (40, Some(7), "PASS"));
}

#[test]
fn what_a_library_says_in_words_ends_in_the_flag() {
    let said = refused(&[&dump()], &["--mean-over", "128"]);
    assert!(said.trim_end().ends_with("or omit the number of samples in the mean (--mean-over)"), "{said}");
    // A fault of the file itself has no flag.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("dump.npz");
    std::fs::write(&path, "no numbers").expect("written");
    let said = refused(&[&path], &[]);
    assert!(said.contains("dump.npz: ") && said.contains("not a zip file") && !said.contains("--"), "{said}");
    let said = refused(&[&dump(), &dump()], &[]);
    assert!(said.contains("the same file was given before"), "{said}");
}

#[test]
fn figures_are_drawn_from_dumps() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let draw = |path: &Path| {
        let mut program = program();
        program
            .args(["figure", "nulls", "--format", "svg", "--out"])
            .arg(folder.path())
            .arg("--from")
            .arg(path);
        program.output().expect("the program starts")
    };
    let drawn = draw(&dump());
    assert!(drawn.status.success(), "{}", text(&drawn.stderr));
    // What is drawn is what the audit says.
    let set: AuditSet = serde_json::from_slice(&audit(&[&dump()], &["--json"]).stdout).expect("an audit");
    let unit = set.audits[0].units.last().expect("units");
    let cosine = unit.here.as_ref().expect("measured").cosine.value().expect("a number");
    let csv = folder.path().join("nulls.csv");
    let table = std::fs::read_to_string(csv).expect("values beside the figure");
    let plotted = table.split([',', '\n']).filter_map(|cell| cell.parse::<f64>().ok());
    assert!(plotted.into_iter().any(|x| (x - cosine).abs() < 1e-6), "{cosine} in {table}");
    let broken = folder.path().join("broken.npz");
    std::fs::write(&broken, "no numbers").expect("written");
    let refused = draw(&broken);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("broken.npz: "), "{}", text(&refused.stderr));
}
