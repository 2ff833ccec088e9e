//! Run directories: what is written comes back, and what is broken is named.

use record::{Run, RunRecord, Status, find_runs};
use std::fs;
use std::path::Path;

fn write_run(folder: &Path, run: &Run) {
    fs::create_dir_all(folder).unwrap();
    run.record.write(folder).unwrap();
    fs::write(folder.join(Run::RECIPE), "seed = 7\n[net]\nd = 8\n[net.deep]\nflag = true\n").unwrap();
    let lines: Vec<String> = run.epochs.iter().map(|e| serde_json::to_string(e).unwrap() + "\n").collect();
    fs::write(folder.join(Run::METRICS), lines.concat()).unwrap();
}

#[test]
fn a_run_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = crate::made::cifar("dfa", (8, 2), 7, 3);
    run.record.status = Status::Stopped { reason: "the loss is not finite".into(), epoch: 2, step: 5 };
    write_run(folder.path(), &run);
    let back = Run::read(folder.path()).unwrap();
    assert_eq!((&back.record, &back.epochs), (&run.record, &run.epochs));
    assert_eq!(back.path, folder.path());
    let keys: Vec<_> = back.recipe.iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(keys, ["net.d=8", "net.deep.flag=true", "seed=7"]);
    assert_eq!(back.last().unwrap().epoch, 3);
}

#[test]
fn a_torn_last_line_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    write_run(folder.path(), &crate::made::cifar("bp", (8, 2), 7, 3));
    let log = folder.path().join(Run::METRICS);
    let whole = fs::read(&log).unwrap();
    let ends: Vec<usize> = (0..whole.len()).filter(|&i| whole[i] == b'\n').collect();
    // Wherever a kill cuts the file, the lines that have their end are read and nothing else is.
    for cut in (0..=whole.len()).step_by(17).chain(ends.iter().flat_map(|&end| [end, end + 1])) {
        fs::write(&log, &whole[..cut]).unwrap();
        let lines = ends.iter().filter(|&&end| end < cut).count();
        assert_eq!(Run::read(folder.path()).unwrap().epochs.len(), lines, "cut at {cut}");
    }
    fs::remove_file(&log).unwrap();
    assert!(Run::read(folder.path()).unwrap().epochs.is_empty());
}

#[test]
fn a_malformed_line_is_named() {
    let folder = tempfile::tempdir().unwrap();
    write_run(folder.path(), &crate::made::cifar("bp", (8, 2), 7, 3));
    let log = folder.path().join(Run::METRICS);
    let text = fs::read_to_string(&log).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[2] = "{\"epoch\": 2}";
    fs::write(&log, lines.join("\n") + "\n").unwrap();
    let message = Run::read(folder.path()).unwrap_err().to_string();
    assert!(message.starts_with(&format!("{}: line 3: ", log.display())), "{message}");
    assert!(message.contains("missing field"), "{message}");
}

#[test]
fn another_schema_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(Run::RECORD);
    // A later format may have any other shape, so nothing but the version is looked at.
    fs::write(&path, r#"{"schema": "creditscope.run/2", "novelty": 1}"#).unwrap();
    let message = RunRecord::read(folder.path()).unwrap_err().to_string();
    for part in [&*path.display().to_string(), "`creditscope.run/2`", "`creditscope.run/1`", "newer"] {
        assert!(message.contains(part), "{part} in {message}");
    }
    fs::write(&path, r#"{"id": "x"}"#).unwrap();
    let message = RunRecord::read(folder.path()).unwrap_err().to_string();
    assert!(message.contains("not a run record") && message.contains("schema"), "{message}");
    let record = crate::made::cifar("bp", (8, 2), 7, 1).record;
    let extra = serde_json::to_string(&record).unwrap().replacen('{', r#"{"surprise":1,"#, 1);
    fs::write(&path, extra).unwrap();
    let message = RunRecord::read(folder.path()).unwrap_err().to_string();
    assert!(message.contains("surprise"), "{message}");
}

#[test]
fn runs_are_found_below_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let message = find_runs(folder.path()).unwrap_err().to_string();
    assert!(
        message.contains(&*folder.path().display().to_string()) && message.contains("run.json"),
        "{message}"
    );
    let run = crate::made::cifar("bp", (8, 2), 7, 1);
    let expected = ["a", "b/deep/er", "c"].map(|name| folder.path().join(name));
    expected.iter().rev().for_each(|path| write_run(path, &run));
    fs::create_dir(folder.path().join("empty")).unwrap();
    // A run directory is a leaf: nothing inside it is another run.
    write_run(&folder.path().join("a/copy"), &run);
    assert_eq!(find_runs(folder.path()).unwrap(), expected);
    assert_eq!(find_runs(&expected[2]).unwrap(), expected[2..]);
    assert!(find_runs(&folder.path().join("missing")).unwrap_err().to_string().contains("missing"));
}
