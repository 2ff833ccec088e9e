//! Audits, beside their runs and alone.

use crate::made::{Made, audit, notes, put, read};
use figures::reader::{Kind, Records};
use record::Measured;
use record::audit::AuditSet;
use serde_json::json;

fn defined(values: &[f64]) -> Vec<Option<Measured>> {
    values.iter().map(|&value| Some(Measured::Defined { value })).collect()
}

#[test]
fn an_audit_of_the_end_gives_the_layers() {
    let folder = tempfile::tempdir().unwrap();
    let made = Made::new("dfa", 42);
    let audit = audit(&made, 3);
    audit.write(&made.write(folder.path())).unwrap();
    let records = read(folder.path());
    let [trial] = &records.trials[..] else { panic!("{records:?}") };
    assert_eq!(trial.audit.as_deref(), Some(&audit));
    let layers = &trial.final_layers;
    assert_eq!(layers.hidden.by_layer(), [Some(100.0), Some(200.0), Some(300.0)]);
    assert_eq!(layers.gradient.last(), Some(0.375));
    assert_eq!(layers.cosine, defined(&[0.375, 0.5, 0.625]));
    assert_eq!(layers.cosine_paper, defined(&[0.25, 0.375]));
    assert_eq!(layers.rho, defined(&[0.1875, 0.25, 0.3125]));
    assert_eq!(layers.rho_paper, defined(&[0.125, 0.1875]));
    assert_eq!(layers.nudge_paper, defined(&[-0.01 * 0.25, -0.01 * 0.375]));
    assert_eq!(layers.nudge[2], Some(Measured::Defined { value: -0.01 * 0.625 }));
    assert_eq!(layers.gamma, audit.gamma);
    assert_eq!(trial.final_units(), &audit.units[..]);
    // The baseline was not read; the audit knows it.
    assert_eq!(records.frozen_accuracy(trial), Some(0.35));
    // The file by itself stands for its run.
    assert_eq!(read(&trial.origin.path.join("audit.json")).trials, records.trials);
}

#[test]
fn an_audit_of_another_epoch_is_not_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let made = Made::new("dfa", 42);
    audit(&made, 2).write(&made.write(folder.path())).unwrap();
    let records = read(folder.path());
    let trial = &records.trials[0];
    assert_eq!(trial.final_layers, trial.epochs[3].layers);
    assert!(trial.audit.is_some() && trial.final_audit().is_none() && trial.final_units().is_empty());
    assert_eq!(
        notes(folder.path(), &records),
        ["dfa-s42, `audit.json`: of epoch 2, while the log ends with epoch 3: layers are drawn from the log"]
    );
}

#[test]
fn a_set_of_audits_stands_alone_or_joins_its_runs() {
    let folder = tempfile::tempdir().unwrap();
    let made = [Made::new("dfa", 42), Made::new("dfa", 123), Made::new("bp", 42)];
    let audits = made.each_ref().map(|made| audit(made, 3));
    let set =
        json!({"schema": AuditSet::SCHEMA, "audits": audits, "groups": [], "pairs": [], "warnings": []});
    let path = put(folder.path(), "printed.json", &set);
    let records = read(&path);
    let names: Vec<&str> = records.trials.iter().map(|trial| trial.name.as_str()).collect();
    assert_eq!(names, ["bp-s42", "dfa-s42", "dfa-s123"]);
    for trial in &records.trials {
        assert_eq!((trial.origin.kind, trial.accuracy()), (Kind::Audit, Some(0.4)));
        assert_eq!(trial.setting.to_string(), "L=2");
        assert!(trial.epochs.is_empty() && trial.status.is_none());
        assert_eq!(trial.final_layers.cosine_paper, defined(&[0.25, 0.375]));
    }
    // With the runs: one trial each, and a run that had no audit has one now.
    let runs = folder.path().join("runs");
    made.iter().for_each(|made| drop(made.write(&runs)));
    let records = Records::read(&[path, runs]).unwrap();
    assert_eq!(records.trials.len(), 3);
    for trial in &records.trials {
        assert_eq!((trial.origin.kind, trial.epochs.len()), (Kind::Run, 4));
        assert_eq!(trial.final_layers.cosine_paper, defined(&[0.25, 0.375]));
    }
}

#[test]
fn audits_that_only_their_files_tell_apart() {
    let folder = tempfile::tempdir().unwrap();
    let made = [Made::new("dfa", 42), Made::new("dfa", 42).with("net.out_ln", "false")];
    for (name, made) in ["one.json", "two.json"].into_iter().zip(&made) {
        put(folder.path(), name, &serde_json::to_value(audit(made, 3)).unwrap());
    }
    let records = read(folder.path());
    assert_eq!((records.trials.len(), records.settings().len()), (2, 2));
}
