//! `creditscope export paper-json`.

use crate::common::{creditscope, text};
use crate::made::train;
use paper::files::{Snapshot, read};
use record::Run;
use std::path::Path;

/// A network that the paper has files for.
const STUDENT: &str = "
data.name = 'teacher'
teacher.train = 300
teacher.test = 100
net.name = 'student'
net.d = 16
net.blocks = 4
rule.name = ['bp', 'fa', 'dfa']
train.epochs = 2
eval.samples = 64
audit.samples = 40
audit.draws = 3
seed = 42
";

/// One that it has none for.
const DIGITS: &str = "
net.d = 16
net.blocks = 2
train.epochs = 1
eval.samples = 64
audit.samples = 40
audit.draws = 3
";

/// Exit code, standard output, standard error.
fn export(runs: &[&Path], out: &Path) -> (i32, String, String) {
    let runs: Vec<String> = runs.iter().map(|path| path.display().to_string()).collect();
    let out = out.display().to_string();
    let mut args = vec!["export", "paper-json", "--out", &out];
    args.extend(runs.iter().map(String::as_str));
    let output = creditscope(&args);
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn runs_become_files_and_the_report_tells_what_came_of_each() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [runs, out] = ["runs", "out"].map(|name| folder.path().join(name));
    train(&runs.join("student"), STUDENT);
    train(&runs.join("digits"), DIGITS);
    std::fs::create_dir(runs.join("damaged")).expect("created");
    std::fs::write(runs.join("damaged/run.json"), "[]").expect("written");
    // A run that is reached by two paths counts once.
    let (code, said, err) = export(&[&runs, &runs.join("student")], &out);
    assert_eq!((code, err.as_str()), (0, ""));

    let file = out.join("results/snapshot_synth_v1/snapshot_synth_a1.0_L4_s42.json");
    assert!(said.contains(&file.display().to_string()), "{said}");
    let snapshot = read::<Snapshot>(&file).expect("a snapshot").content;
    for (id, log) in [("bp-s42", &snapshot.bp_log), ("dfa-s42", &snapshot.dfa_log)] {
        let run = Run::read(&runs.join("student").join(id)).expect("a run");
        let last = log.as_ref().and_then(|log| log.last()).expect("an entry");
        let epoch = run.last().expect("an epoch");
        assert_eq!((last.epoch, last.acc_eval), (2, Some(epoch.test.accuracy)));
        assert_eq!(last.hidden(), epoch.evaluation.hidden());
    }
    for script in [
        "fig1_audit_hero.py: can run",
        "fig3b_crossarch.py: cannot run",
        "fig4_penalty_rescue.py: cannot run",
        "temporal_penalty_vs_vanilla.py: cannot run",
        "cifar_plots.py: cannot run",
    ] {
        assert_eq!(said.matches(script).count(), 1, "{script} in\n{said}");
    }
    let left_out: Vec<&str> = said
        .lines()
        .skip_while(|line| *line != "Left out:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .collect();
    assert_eq!(left_out.len(), 2, "{said}");
    assert!(left_out[0].contains("damaged") && left_out[0].contains("run.json"), "{said}");
    // The id `bp-s42` is there twice, so the path tells which is meant.
    assert!(left_out[1].contains("digits/bp-s42: the paper has no file"), "{said}");

    // Once more into the same folder: an export may replace its own files.
    assert_eq!(export(&[&runs], &out).0, 0);
}

#[test]
fn where_nothing_has_a_place_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [runs, out] = ["runs", "out"].map(|name| folder.path().join(name));
    train(&runs, DIGITS);
    let (code, said, err) = export(&[&runs], &out);
    assert_eq!(code, 2);
    assert!(said.contains("bp-s42: the paper has no file for data `digits`"), "{said}");
    assert!(err.contains("nothing was written") && err.contains(&out.display().to_string()), "{err}");
}

#[test]
fn bad_paths_are_refused_and_foreign_files_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [runs, out, empty] = ["runs", "out", "empty"].map(|name| folder.path().join(name));
    std::fs::create_dir(&empty).expect("created");
    for (path, words) in [(&runs, "does not exist"), (&empty, "holds no run")] {
        let (code, _, err) = export(&[path], &out);
        assert_eq!(code, 2);
        assert!(err.contains(words) && err.contains(&path.display().to_string()), "{err}");
        assert!(!out.exists());
    }
    train(&runs, STUDENT);

    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("written");
    let (code, _, err) = export(&[&runs], &file.join("below"));
    assert_eq!(code, 2);
    assert!(err.contains(&file.display().to_string()), "{err}");

    let foreign = out.join("results/snapshot_synth_v1/snapshot_fa_canonical_s42.json");
    std::fs::create_dir_all(foreign.parent().expect("a folder")).expect("created");
    std::fs::write(&foreign, "the paper's own").expect("written");
    let (code, _, err) = export(&[&runs], &out);
    assert_eq!(code, 2);
    assert!(err.contains(&foreign.display().to_string()) && err.contains("another folder"), "{err}");
    assert_eq!(std::fs::read_to_string(&foreign).expect("it is still there"), "the paper's own");
}
