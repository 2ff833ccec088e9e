//! What an export writes, compared with the definition of each file.

use crate::made::{cifar, export_of, run, with};
use paper::files::{Penalised, Results, Snapshot, SnapshotEntry, read};
use paper::{Manifest, export};
use record::audit::{Evidence, Nudge, Rho, Standing, UnitAudit};
use record::{EpochAudit, Measured, Run, Unit, Why};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn files(out: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in fs::read_dir(out.join("results")).unwrap().map(|entry| entry.unwrap()) {
        if folder.file_type().unwrap().is_dir() {
            for file in fs::read_dir(folder.path()).unwrap() {
                let name = file.unwrap().file_name().into_string().unwrap();
                found.insert(format!("{}/{name}", folder.file_name().into_string().unwrap()));
            }
        }
    }
    found
}

/// Epoch 0 left out, hidden as it is, gradient of the mean over 1024 samples.
fn is_log_of(log: &[SnapshotEntry], run: &Run) {
    assert_eq!(log.len(), run.epochs.len() - 1);
    for (entry, epoch) in log.iter().zip(&run.epochs[1..]) {
        assert_eq!(entry.epoch, epoch.epoch);
        assert_eq!(entry.hidden_norms.as_ref(), Some(&epoch.evaluation.hidden()));
        let g: Vec<f64> = epoch.evaluation.gradient().iter().map(|p| p / 1024.0).collect();
        assert_eq!(entry.bp_grad_norms_per_sample_med.as_ref(), Some(&g));
        assert_eq!(entry.acc_eval, Some(epoch.test.accuracy));
    }
}

fn snapshot(out: &Path, file: &str) -> Snapshot {
    read(&out.join("results").join(file)).unwrap().content
}

#[test]
fn every_run_has_its_file() {
    let no_ln = |rule| with(cifar(rule, (256, 4), 42, 2), "net.out_ln", false);
    let student = |rule| run(rule, "teacher", "student", (128, 4), 42, 2);
    let penalty = |lambda: f64| with(cifar("dfa", (256, 4), 42, 2), "rule.penalty", lambda);
    let runs = [
        cifar("bp", (256, 4), 42, 2),
        cifar("fa", (256, 4), 123, 2),
        cifar("dfa", (256, 4), 7, 2),
        no_ln("bp"),
        no_ln("fa"),
        student("dfa"),
        student("fa"),
        with(student("bp"), "net.alpha", 0.5),
        with(with(student("bp"), "net.alpha", 0.25), "net.blocks", 2),
        penalty(0.01),
        penalty(0.0001),
        penalty(1.0),
    ];
    let (out, report) = export_of(&runs);
    let expected = [
        "cifar10/results_cifar10.json",
        "cifar10_seed123/results_cifar10.json",
        "cifar10_seed7/results_cifar10.json",
        "dfa_residual_penalty/dfa_pen_lam0.0001_s42.json",
        "dfa_residual_penalty/dfa_pen_lam0.01_s42.json",
        "dfa_residual_penalty/dfa_pen_lam1.0_s42.json",
        "snapshot_evolution_v2/snapshot_evolution_s42.json",
        "snapshot_evolution_v2/snapshot_evolution_s7.json",
        "snapshot_no_outln_v1/snapshot_fa_canonical_noln_s42.json",
        "snapshot_no_outln_v1/snapshot_noLN_s42.json",
        "snapshot_synth_v1/snapshot_fa_canonical_s42.json",
        // Python's f"{0.25:.1f}" is 0.2.
        "snapshot_synth_v1/snapshot_synth_a0.2_L2_s42.json",
        "snapshot_synth_v1/snapshot_synth_a0.5_L4_s42.json",
        "snapshot_synth_v1/snapshot_synth_a1.0_L4_s42.json",
    ];
    assert_eq!(files(out.path()), expected.map(str::to_owned).into());
    assert_eq!(report.written, expected.map(|file| out.path().join("results").join(file)));
    assert!(report.left_out.is_empty() && report.notes.is_empty(), "{report:?}");
    assert!(out.path().join("paper/figures").is_dir() && out.path().join("results/protocol_audit").is_dir());
}

#[test]
fn snapshots_hold_the_norms() {
    let [bp, dfa] = ["bp", "dfa"].map(|rule| cifar(rule, (256, 4), 42, 3));
    let fa = run("fa", "teacher", "student", (128, 4), 42, 5);
    let (out, _) = export_of(&[dfa.clone(), fa.clone(), bp.clone()]);
    let both = snapshot(out.path(), "snapshot_evolution_v2/snapshot_evolution_s42.json");
    is_log_of(&both.bp_log.unwrap(), &bp);
    is_log_of(&both.dfa_log.unwrap(), &dfa);
    assert!(both.fa_log.is_none() && both.config.is_none());
    let alone = snapshot(out.path(), "snapshot_synth_v1/snapshot_fa_canonical_s42.json");
    is_log_of(&alone.fa_log.unwrap(), &fa);
    assert!(alone.bp_log.is_none() && alone.dfa_log.is_none());
}

#[test]
fn results_hold_curves_diagnostics_and_drift() {
    let bp = cifar("bp", (512, 12), 123, 3);
    let (out, _) = export_of(std::slice::from_ref(&bp));
    let path = out.path().join("results/cifar10_seed123/results_cifar10.json");
    let Results(seeds) = read(&path).unwrap().content;
    assert_eq!(seeds.keys().collect::<Vec<_>>(), ["123"]);
    let method = &seeds["123"]["bp"];
    let of = |number: fn(&record::Epoch) -> f64| bp.epochs[1..].iter().map(number).collect::<Vec<_>>();
    assert_eq!(method.log.train_acc, Some(of(|e| e.train.unwrap().accuracy)));
    assert_eq!(method.log.train_loss, Some(of(|e| e.train.unwrap().loss)));
    assert_eq!(method.log.test_acc, Some(of(|e| e.test.accuracy)));
    assert_eq!(method.final_acc, Some(bp.last().unwrap().test.accuracy));
    assert_eq!(method.drift, bp.record.drift);
    let cosine: Vec<f64> =
        bp.epochs[3].evaluation.cosine_at_input().iter().map(|c| c.value().unwrap()).collect();
    let diagnostics = method.diagnostics.as_ref().unwrap();
    assert_eq!(diagnostics.bp_cosine.as_ref(), Some(&cosine));
    assert_eq!((&diagnostics.perturbation_rho, &diagnostics.nudging), (&None, &None));
}

/// Where the last epoch was audited, ρ and nudges go along, a_l at h_l; one that is undefined leaves its key out.
#[test]
fn results_hold_what_the_last_audit_measured() {
    let evidence = |x: f64, rho: Measured| Evidence {
        cosine: Measured::Defined { value: x },
        estimate: None,
        spread: None,
        torch: None,
        rho: Some(Rho { value: rho, gradient: rho, step: 1e-3, enlarged: false, rounding: 0.0 }),
        nudges: [0.003, 0.01]
            .map(|eta| Nudge { eta, change: Measured::Defined { value: -eta * x }, gradient: rho })
            .to_vec(),
        nulls: vec![],
    };
    let exported = |deepest: Measured| {
        let mut bp = cifar("bp", (512, 2), 123, 3);
        let unit = |l: usize| UnitAudit {
            unit: Unit::at(l),
            credit: None,
            here: Some(evidence(9.0, Measured::Defined { value: 9.0 })),
            at_input: (l > 0).then(|| {
                let value = 0.1 * l as f64;
                evidence(l as f64, if l == 2 { deepest } else { Measured::Defined { value } })
            }),
            drift: None,
            mean_credit: vec![],
            effect: None,
            standing: Standing::Useful,
            notes: vec![],
        };
        let audit = EpochAudit { samples: 8, directions: 8, draws: 2, units: (0..3).map(unit).collect() };
        bp.epochs[3].audit = Some(audit);
        let (out, _) = export_of(&[bp]);
        let path = out.path().join("results/cifar10_seed123/results_cifar10.json");
        let Results(seeds) = read(&path).unwrap().content;
        seeds["123"]["bp"].diagnostics.clone().unwrap()
    };
    let whole = exported(Measured::Defined { value: 0.5 });
    assert_eq!(whole.perturbation_rho, Some(vec![0.1, 0.5]));
    assert_eq!(whole.nudging.unwrap()["0.01"], [-0.01, -0.02]);
    let holed = exported(Measured::Undefined { why: Why::Rounding });
    assert!(holed.perturbation_rho.is_none() && holed.nudging.is_some());
}

#[test]
fn penalised_runs_hold_three_numbers_an_epoch() {
    let dfa = with(cifar("dfa", (256, 4), 42, 3), "rule.penalty", 0.001);
    let (out, _) = export_of(std::slice::from_ref(&dfa));
    let file: Penalised =
        read(&out.path().join("results/dfa_residual_penalty/dfa_pen_lam0.001_s42.json")).unwrap().content;
    assert_eq!(file.lam, Some(0.001));
    assert_eq!(file.log.len(), 3);
    for (entry, epoch) in file.log.iter().zip(&dfa.epochs[1..]) {
        assert_eq!((entry.epoch, entry.acc_eval), (epoch.epoch, Some(epoch.test.accuracy)));
        assert_eq!(entry.h_last_norm, Some(epoch.evaluation.hidden()[4]));
        assert_eq!(entry.g_2_norm, Some(epoch.evaluation.gradient()[2] / 1024.0));
    }
}

#[test]
fn every_key_leads_back_to_its_run() {
    let bp = cifar("bp", (256, 4), 42, 1);
    let (out, _) = export_of(std::slice::from_ref(&bp));
    let manifest = Manifest::read(out.path()).unwrap();
    assert_eq!(manifest.files.len(), 2);
    for (file, key) in [
        ("results/cifar10/results_cifar10.json", "42/bp"),
        ("results/snapshot_evolution_v2/snapshot_evolution_s42.json", "bp_log"),
    ] {
        let origin = &manifest.files[file][key];
        let from = &bp.record.provenance;
        assert_eq!((&origin.run, origin.seed), (&bp.record.id, 42));
        assert_eq!((&origin.recipe_hash, &origin.data_hash), (&from.recipe_hash, &from.data_hash));
    }
}

#[test]
fn a_second_export_replaces_its_own_files_and_no_others() {
    let (out, _) = export_of(&[cifar("bp", (256, 4), 42, 1), cifar("bp", (256, 4), 7, 1)]);
    let report = export(&[cifar("bp", (256, 4), 42, 2)], out.path()).unwrap();
    assert_eq!(report.written.len(), 2);
    let log = snapshot(out.path(), "snapshot_evolution_v2/snapshot_evolution_s42.json").bp_log.unwrap();
    assert_eq!(log.len(), 2);
    assert_eq!(Manifest::read(out.path()).unwrap().files.len(), 4, "seed 7 is still known");

    // A file that no export wrote is the user's.
    let out = tempfile::tempdir().unwrap();
    let theirs = out.path().join("results/cifar10/results_cifar10.json");
    fs::create_dir_all(theirs.parent().unwrap()).unwrap();
    fs::write(&theirs, "{}").unwrap();
    let message = export(&[cifar("bp", (256, 4), 42, 1)], out.path()).unwrap_err().to_string();
    assert!(
        message.contains(&*theirs.display().to_string()) && message.contains("another folder"),
        "{message}"
    );
    assert_eq!(fs::read(&theirs).unwrap(), b"{}");
    assert_eq!(files(out.path()).len(), 1, "nothing else was written");
}

#[test]
fn same_runs_same_bytes() {
    let runs = ["bp", "fa", "dfa"].map(|rule| cifar(rule, (256, 4), 42, 2));
    let mut reversed = runs.clone();
    reversed.reverse();
    let [(a, _), (b, _)] = [export_of(&runs), export_of(&reversed)];
    let names = files(a.path());
    assert_eq!(names, files(b.path()));
    for name in names.iter().map(String::as_str).chain(["creditscope.json"]) {
        let [a, b] = [&a, &b].map(|out| fs::read_to_string(out.path().join("results").join(name)).unwrap());
        assert_eq!(a, b);
        serde_json::from_str::<Value>(&a).unwrap();
    }
}
