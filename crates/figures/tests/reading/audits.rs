//! Audits, beside their runs and alone.

use crate::made::{Made, audit, notes, put, read, settings};
use figures::reader::{OriginKind, Records};
use record::Measured;
use record::audit::{AuditSet, Modifiers};
use serde_json::{Value, json};

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
    assert_eq!(layers.cosine_at_input, defined(&[0.25, 0.375]));
    assert_eq!(layers.rho, defined(&[0.1875, 0.25, 0.3125]));
    assert_eq!(layers.rho_at_input, defined(&[0.125, 0.1875]));
    assert_eq!(layers.nudge_at_input, defined(&[-0.01 * 0.25, -0.01 * 0.375]));
    assert_eq!(layers.nudge[2], Some(Measured::Defined { value: -0.01 * 0.625 }));
    assert_eq!(layers.gamma, audit.gamma);
    assert_eq!(trial.final_units(), &audit.units[..]);
    // The baseline was not read, but the audit has its accuracy.
    assert_eq!(records.frozen_accuracy(trial), Some(0.35));
    // Naming the file means its run.
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
        ["dfa-s42, `audit.json`: of epoch 2, but the log ends with epoch 3: layers are drawn from the log"]
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
        assert_eq!((trial.origin.kind, trial.accuracy()), (OriginKind::Audit, Some(0.4)));
        assert_eq!(trial.setting.to_string(), "L=2");
        assert!(trial.epochs.is_empty() && trial.status.is_none());
        assert_eq!(trial.final_layers.cosine_at_input, defined(&[0.25, 0.375]));
    }
    // With the runs: one trial each, and a run that had no audit has one now.
    let runs = folder.path().join("runs");
    made.iter().for_each(|made| drop(made.write(&runs)));
    let records = Records::read(&[path, runs]).unwrap();
    assert_eq!(records.trials.len(), 3);
    for trial in &records.trials {
        assert_eq!((trial.origin.kind, trial.epochs.len()), (OriginKind::Run, 4));
        assert_eq!(trial.final_layers.cosine_at_input, defined(&[0.25, 0.375]));
    }
}

#[test]
fn audits_that_differ_only_in_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let made = [Made::new("dfa", 42), Made::new("dfa", 42).with("net.out_ln", "false")];
    for (name, made) in ["one.json", "two.json"].into_iter().zip(&made) {
        put(folder.path(), name, &serde_json::to_value(audit(made, 3)).unwrap());
    }
    let records = read(folder.path());
    assert_eq!((records.trials.len(), settings(&records)), (2, 2));
}

/// An audit by itself, of a run of that group; older files have no `modifiers`.
fn alone(group: &str, modifiers: Option<Modifiers>) -> Value {
    let mut value = serde_json::to_value(audit(&Made::new("dfa", 42), 3)).unwrap();
    value["subject"]["group"] = group.into();
    value["subject"]["recipe_hash"] = group.into();
    if let Some(modifiers) = modifiers {
        value["subject"]["modifiers"] = serde_json::to_value(modifiers).unwrap();
    }
    value
}

fn variants(audits: &[Value]) -> (Vec<String>, usize) {
    let folder = tempfile::tempdir().unwrap();
    let set =
        json!({"schema": AuditSet::SCHEMA, "audits": audits, "groups": [], "pairs": [], "warnings": []});
    let records = read(&put(folder.path(), "printed.json", &set));
    let names = records.trials.iter().map(|trial| trial.variant().to_string()).collect();
    (names, settings(&records))
}

#[test]
fn an_audit_has_the_modifiers_of_its_run() {
    let penalised = Modifiers { penalty: 0.01, ..Modifiers::default() };
    let shallow = Modifiers { shallow: true, trainable_last: Some(2), ..Modifiers::default() };
    let (names, settings) = variants(&[
        alone("dfa", Some(Modifiers::default())),
        alone("anything", Some(penalised)),
        alone("shallow", Some(shallow)),
    ]);
    assert_eq!(names, ["dfa", "dfa, λ = 0.01", "dfa, shallow, only the last 2 blocks trained"]);
    assert_eq!(settings, 1);
    // What an older audit has only in its name still distinguishes it from the plain rule.
    let (names, _) = variants(&[alone("dfa", None), alone("dfa-pen0.01", None)]);
    assert_eq!(names, ["dfa", "dfa, pen0.01"]);
    // So does what a recipe sweeps beside modifiers.
    let swept = ["dfa-lr0.1", "dfa-lr0.2"].map(|group| alone(group, Some(Modifiers::default())));
    assert_eq!(variants(&swept), (vec!["dfa, dfa-lr0.1".to_owned(), "dfa, dfa-lr0.2".to_owned()], 1));
}
