//! Messages, as a user reads them.

use crate::made::{Made, put, refusal};
use figures::reader::Records;
use serde_json::json;
use std::fs;

#[test]
fn a_path_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let message = refusal(folder.path(), &folder.path().join("nowhere"));
    assert!(message.starts_with("nowhere does not exist: expected run directories"), "{message}");
}

#[test]
fn nothing_to_draw() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("broken.json"), "{").unwrap();
    Made::new("bp", 1).write_as(&folder.path().join("bp-s1"), &[]);
    let message = refusal(folder.path(), folder.path());
    assert!(
        message.contains("nothing to draw in") && message.contains("looked for run directories (`run.json`)")
    );
    assert!(message.contains("\n  passed over: broken.json: passed over: not JSON"), "{message}");
    assert!(message.contains("bp-s1, `metrics.jsonl`"), "{message}");
    assert!(Records::read(&[]).unwrap_err().to_string().starts_with("nothing to draw in no path at all"));
}

#[test]
fn a_file_that_is_no_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "notes.json", &json!({"remember": "milk", "and": "bread"}));
    let message = refusal(folder.path(), &path);
    let start =
        "notes.json is not a record (its keys, `and`, `remember`, are not those of a record): expected";
    assert!(message.starts_with(start), "{message}");
    let path = folder.path().join("picture.png");
    fs::write(&path, [0x89, b'P', 0xff]).unwrap();
    let message = refusal(folder.path(), &path);
    assert!(message.starts_with("picture.png is not a record (it cannot be read"), "{message}");
}

#[test]
fn records_of_another_version_or_torn() {
    let folder = tempfile::tempdir().unwrap();
    let path = Made::new("bp", 1).write(folder.path());
    let audit = put(folder.path(), "later.json", &json!({"schema": "creditscope.audit/7"}));
    let message = refusal(folder.path(), &audit);
    let start = "later.json has schema `creditscope.audit/7`, this program reads `creditscope.audit/1`";
    assert!(message.starts_with(start), "{message}");
    fs::remove_file(audit).unwrap();
    let run = fs::read_to_string(path.join("run.json")).unwrap();
    fs::write(path.join("run.json"), run.replace("run/1", "run/2")).unwrap();
    let message = refusal(folder.path(), folder.path());
    assert!(message.starts_with("bp-s1/run.json has schema `creditscope.run/2`"), "{message}");
    fs::write(path.join("run.json"), run).unwrap();
    let metrics = fs::read_to_string(path.join("metrics.jsonl")).unwrap();
    let lines: Vec<&str> = metrics.lines().collect();
    fs::write(path.join("metrics.jsonl"), format!("{}\n{{\"epoch\": 1}}\n", lines[0])).unwrap();
    let message = refusal(folder.path(), folder.path());
    assert!(message.starts_with("bp-s1/metrics.jsonl: line 2: missing field"), "{message}");
    fs::write(path.join("metrics.jsonl"), format!("{}\n{}\n", lines[2], lines[1])).unwrap();
    let message = refusal(folder.path(), folder.path());
    assert_eq!(message, "bp-s1/metrics.jsonl: line 2: `epoch` is 1 after 2");
}
