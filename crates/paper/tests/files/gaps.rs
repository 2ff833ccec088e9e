//! What an export cannot write, and what it says about runs that are not whole.

use crate::made::{cifar, export_of, script_of, set};
use paper::Report;
use paper::files::{Results, Snapshot, read};
use record::series::{COSINE_AT_INPUT, GRADIENT, HIDDEN};
use record::{Measured, Run, Status, Why};

fn gap<'a>(report: &'a Report, file: &str, key: &str) -> Option<&'a str> {
    report.gaps.iter().find(|gap| gap.file.contains(file) && gap.key == key).map(|gap| gap.why.as_str())
}

#[test]
fn a_missing_log_is_named() {
    let (out, report) = export_of(&[cifar("dfa", (256, 4), 42, 1)]);
    let file: Snapshot =
        read(&out.path().join("results/snapshot_evolution_v2/snapshot_evolution_s42.json")).unwrap().content;
    assert!(file.bp_log.is_none() && file.dfa_log.is_some());
    assert_eq!(gap(&report, "snapshot_evolution_s42", "bp_log"), Some("no bp run for it was given"));
    assert_eq!(gap(&report, "snapshot_evolution_s42", "dfa_log"), None);
    for method in ["bp", "fa", "state_bridge", "credit_bridge"] {
        assert!(gap(&report, "results_cifar10", &format!("42/{method}")).is_some());
    }
    for key in ["diagnostics/perturbation_rho", "diagnostics/nudging/0.01"] {
        assert!(gap(&report, "results_cifar10", &format!("42/dfa/{key}")).unwrap().contains("not measured"));
    }
}

#[test]
fn an_undefined_cosine_leaves_the_key_out() {
    let key = "42/dfa/diagnostics/bp_cosine";
    let cosine_of = |last: Measured| {
        let mut dfa = cifar("dfa", (256, 4), 42, 2);
        // Only the last epoch counts.
        set(&mut dfa.epochs[1], &COSINE_AT_INPUT, 0, Measured::Undefined { why: Why::NotFinite });
        set(&mut dfa.epochs[2], &COSINE_AT_INPUT, 3, last);
        let (out, report) = export_of(&[dfa]);
        let Results(seeds) = read(&out.path().join("results/cifar10/results_cifar10.json")).unwrap().content;
        let diagnostics = seeds["42"]["dfa"].diagnostics.clone().unwrap();
        (diagnostics.bp_cosine, gap(&report, "results_cifar10", key).map(str::to_owned), report)
    };
    let (cosine, why, _) = cosine_of(Measured::Unreliable { value: -0.25, why: Why::ReferenceBelowFloor });
    assert_eq!((cosine.unwrap()[3], why), (-0.25, None), "unreliable is still a number");
    let (cosine, why, report) = cosine_of(Measured::Undefined { why: Why::ReferenceVanished });
    assert_eq!(cosine, None);
    let why = why.unwrap();
    assert!(why.contains("layer 3") && why.contains(Why::ReferenceVanished.words()), "{why}");
    let missing = &script_of(&report, "cifar_plots.py").missing;
    assert!(missing.iter().any(|m| m.key.as_deref() == Some(key) && m.why == why && !m.required));
}

#[test]
fn a_diverged_log_is_cut() {
    let snapshot_of = |change: fn(&mut Run)| {
        let mut dfa = cifar("dfa", (256, 4), 42, 4);
        change(&mut dfa);
        let (out, report) = export_of(std::slice::from_ref(&dfa));
        let file = out.path().join("results/snapshot_evolution_v2/snapshot_evolution_s42.json");
        let epochs = file.exists().then(|| read::<Snapshot>(&file).unwrap().content.dfa_log.unwrap().len());
        let Results(seeds) = read(&out.path().join("results/cifar10/results_cifar10.json")).unwrap().content;
        (epochs, seeds["42"]["dfa"].log.epochs().unwrap(), report)
    };
    let (norms, curves, report) = snapshot_of(|run| set(&mut run.epochs[3], &HIDDEN, 4, f64::INFINITY));
    assert_eq!((norms, curves), (Some(2), 4), "only the log that would hold the number ends");
    assert!(report.notes.iter().any(|(_, note)| note.contains("before epoch 3")), "{report:?}");
    let (norms, curves, _) = snapshot_of(|run| run.epochs[2].train.as_mut().unwrap().loss = f64::NAN);
    assert_eq!((norms, curves), (Some(4), 1));
    let (norms, _, report) = snapshot_of(|run| set(&mut run.epochs[1], &GRADIENT, 0, f64::NAN));
    assert_eq!(norms, None, "nothing is left of the log, so there is no file");
    assert!(report.left_out.iter().any(|(_, why)| why.contains("first epoch")), "{report:?}");
    // Epoch 0 is not written, so it cannot end a log.
    let (norms, curves, report) = snapshot_of(|run| set(&mut run.epochs[0], &HIDDEN, 0, f64::NAN));
    assert_eq!((norms, curves), (Some(4), 4));
    assert!(report.notes.is_empty());
}

#[test]
fn runs_that_are_not_whole_are_written_and_named() {
    let stopped = Status::Stopped { reason: "the loss is not finite".into(), epoch: 2, step: 9 };
    for (status, word) in [
        (Status::Running, "not finished"),
        (Status::Interrupted, "interrupted"),
        (stopped, "the loss is not finite"),
    ] {
        let mut bp = cifar("bp", (256, 4), 42, 2);
        bp.record.status = status;
        bp.record.drift = None;
        let (out, report) = export_of(&[bp]);
        assert_eq!(report.written.len(), 2);
        assert_eq!(report.notes.len(), 1, "said once, though it is in two files");
        assert!(report.notes[0].1.contains(word), "{report:?}");
        let Results(seeds) = read(&out.path().join("results/cifar10/results_cifar10.json")).unwrap().content;
        assert_eq!((&seeds["42"]["bp"].drift, seeds["42"]["bp"].final_acc), (&None, None));
        assert!(gap(&report, "results_cifar10", "42/bp/drift").is_some());
    }
}

#[test]
fn another_number_of_samples_changes_no_number() {
    let usual = cifar("dfa", (256, 4), 42, 2);
    let mut fewer = usual.clone();
    fewer.epochs.iter_mut().for_each(|e| e.evaluation.samples = 128);
    let [(a, _), (b, report)] = [export_of(&[usual]), export_of(&[fewer])];
    let file = "results/snapshot_evolution_v2/snapshot_evolution_s42.json";
    assert_eq!(std::fs::read(a.path().join(file)).unwrap(), std::fs::read(b.path().join(file)).unwrap());
    assert!(report.notes.iter().any(|(_, note)| note.contains("128 samples")), "{report:?}");
}
