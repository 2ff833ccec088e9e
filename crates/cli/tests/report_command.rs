//! `creditscope report`: what is written, and what is said of what cannot be read or written.

mod common;

use common::{program, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Runs that are kept with the program.
fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results/main")
}

fn report(records: &Path, out: &Path) -> Output {
    program().arg("report").arg(records).arg("-o").arg(out).output().expect("the program starts")
}

/// Copies the files of a kept run.
fn copy(run: &str, folder: &Path) -> PathBuf {
    let to = folder.join(run);
    fs::create_dir_all(&to).expect("a folder");
    for entry in fs::read_dir(kept().join(run)).expect("a kept run").flatten() {
        fs::copy(entry.path(), to.join(entry.file_name())).expect("copied");
    }
    to
}

#[test]
fn the_same_records_give_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("report.html");
    let written = || {
        let done = report(&kept(), &page);
        assert!(done.status.success(), "{}", text(&done.stderr));
        fs::read(&page).expect("a page")
    };
    assert!(written() == written());
}

#[test]
fn a_page_takes_a_megabyte_and_ten_kilobytes_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("report.html");
    let all = kept().join("..");
    let done = report(&all, &page);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let size = fs::metadata(&page).expect("a page").len();
    let runs = record::find_runs(&all).expect("kept runs").len() as u64;
    assert!(runs > 100 && size < 1_000_000 + 10_000 * runs, "{size} bytes of {runs} runs");
}

#[test]
fn a_run_that_is_half_written_keeps_no_other_from_the_page_and_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let runs = folder.path().join("runs");
    copy("dfa-s42", &runs);
    let record = copy("bp-s42", &runs).join("run.json");
    let whole = fs::read(&record).expect("a record");
    fs::write(&record, &whole[..whole.len() / 2]).expect("written");
    let page = folder.path().join("report.html");
    let done = report(&runs, &page);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let named = format!("Not read: {}: not a run record", record.display());
    assert!(text(&done.stderr).contains(&named), "{}", text(&done.stderr));
    let html = fs::read_to_string(&page).expect("a page");
    assert!(html.contains(&named) && html.contains(">dfa-s42<") && !html.contains(">bp-s42<"));
    assert!(html.contains("<figure class=\"picture\""), "figures of what can be read");
    fs::write(runs.join("dfa-s42/run.json"), "{").expect("written");
    let done = report(&runs, &page);
    assert_eq!(done.status.code(), Some(2), "no run at all");
}

#[test]
fn a_file_that_would_not_hold_a_report_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, words) in [
        ("page.pdf", "a report is HTML or Markdown, and .pdf is neither"),
        ("none/page.html", "create it first"),
        (".", "it is a folder"),
    ] {
        let out = folder.path().join(name);
        let done = report(&kept(), &out);
        assert_eq!(done.status.code(), Some(2), "{name}");
        assert!(text(&done.stderr).contains(words), "{}", text(&done.stderr));
        assert!(!out.is_file());
    }
}
