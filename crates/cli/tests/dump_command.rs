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
    let Subject::Dump { id, hashes } = &found.subject else { panic!("a dump: {:?}", found.subject) };
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
