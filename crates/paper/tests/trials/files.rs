//! The paper's files, as the paper writes them and as we do.

use crate::made::{Made, notes, put};
use figures::reader::{OriginKind, Records, Trial};
use record::{Measured, Run};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

fn read(path: &Path) -> Records {
    paper::records(&[path.to_owned()]).unwrap()
}

fn method() -> Value {
    json!({
        "log": {"train_acc": [0.2, 0.25], "test_acc": [0.21, 0.24], "train_loss": [2.2, 2.1]},
        "diagnostics": {"bp_cosine": [1.0, -0.5, 0.25], "perturbation_rho": [0.9, 0.8, 0.7],
            "nudging": {"0.01": [-0.01, 0.0, 0.02], "0.1": [0.0, 0.0, 0.0]}},
        "drift": {"blocks.0.w1.weight": 1.5, "blocks.2.w1.weight": 1.7, "embed.weight": 7.0},
        "final_acc": 0.24,
    })
}

/// Norms of L + 1 = 3 layers; ‖g_L‖ is 2⁻³⁰ at epoch 1 and halves.
fn log(h: &str, g: &str) -> Value {
    let entry = |epoch: i32| {
        let last = 0.5f64.powi(29 + epoch);
        json!({"epoch": epoch, h: [20.0, 40.0, 4000.0], g: [1e-3, 1e-4, last], "acc_eval": 0.3})
    };
    json!([entry(1), entry(2)])
}

fn plain() -> Value {
    log("hidden_norms", "bp_grad_norms_per_sample_med")
}

#[test]
fn results_become_a_trial_for_each_seed_and_method() {
    let folder = tempfile::tempdir().unwrap();
    let mut bridge = method();
    bridge["log"]["state_pred_error"] = json!([0.08, 4e-5]);
    let path = put(
        folder.path(),
        "results/cifar10/results_cifar10.json",
        &json!({"42": {"state_bridge": bridge, "bp": method()}}),
    );
    put(folder.path(), "results/cifar10_seed123/results_cifar10.json", &json!({"123": {"bp": method()}}));
    let records = read(folder.path());
    let names: Vec<_> = records.trials.iter().map(|t| (t.name.as_str(), t.seed)).collect();
    assert_eq!(
        names,
        [
            ("results_cifar10/42/bp", Some(42)),
            ("results_cifar10/123/bp", Some(123)),
            ("results_cifar10/42/state_bridge", Some(42)),
        ]
    );
    let trial = &records.trials[2];
    assert!(records.trials.iter().all(|other| other.setting == trial.setting));
    assert_eq!(trial.setting.to_string(), "CIFAR-10, ResMLP L=3");
    assert_eq!(trial.setting.out_ln, Some(true));
    assert_eq!((trial.origin.kind, &trial.origin.path), (OriginKind::File("results_cifar10.json"), &path));
    let hash: String = Sha256::digest(fs::read(&path).unwrap()).iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(
        (trial.origin.file_hash.as_ref(), trial.origin.key.as_deref()),
        (Some(&hash), Some("42/state_bridge"))
    );
    assert_eq!(trial.epochs.iter().map(|e| e.epoch).collect::<Vec<_>>(), [1, 2]);
    assert_eq!((trial.epochs[1].test_accuracy, trial.epochs[1].train_loss), (Some(0.24), Some(2.1)));
    assert_eq!((trial.epochs[0].state_error, records.trials[0].epochs[0].state_error), (Some(0.08), None));
    assert_eq!((trial.epochs[0].hidden_last(), trial.epochs[0].gradient_at(0)), (None, None));
    assert_eq!(trial.drift, [Some(1.5), None, Some(1.7)]);
    let value = |value: f64| Some(Measured::Defined { value });
    assert_eq!(trial.final_layers.cosine_at_input, [value(1.0), value(-0.5), value(0.25)]);
    assert_eq!(trial.final_layers.nudge_at_input, [value(-0.01), value(0.0), value(0.02)]);
    assert_eq!(trial.final_layers.gamma.at_input.defined, Some(0.25));
    assert!(trial.final_layers.cosine.is_empty());
}

#[test]
fn snapshots_are_placed_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let pair = json!({"bp_log": plain(), "dfa_log": plain()});
    let vit = log("hidden_norms_cls", "bp_grad_per_sample_l2_med");
    put(root, "results/snapshot_evolution_v2/snapshot_evolution_s42.json", &pair);
    put(root, "results/snapshot_no_outln_v1/snapshot_noLN_s42.json", &pair);
    put(
        root,
        "results/snapshot_no_outln_v1/snapshot_fa_canonical_noln_s42.json",
        &json!({"fa_log": plain()}),
    );
    put(root, "results/snapshot_vit_v1/snapshot_vit_s42.json", &json!({"bp_log": vit, "dfa_log": vit}));
    put(root, "results/snapshot_vit_v1/snapshot_fa_canonical_s42.json", &json!({"fa_log": vit}));
    put(root, "results/snapshot_synth_v1/snapshot_synth_a0.5_L2_s42.json", &pair);
    put(root, "results/snapshot_synth_v1/snapshot_fa_canonical_s42.json", &json!({"fa_log": plain()}));
    let records = read(root);
    let settings = records.trials.chunk_by(|a, b| a.setting == b.setting);
    let said: Vec<String> = settings
        .map(|trials| {
            let rules: Vec<&str> = trials.iter().map(|trial| trial.rule.as_str()).collect();
            format!("{}: {}", trials[0].setting, rules.join(" "))
        })
        .collect();
    assert_eq!(
        said,
        [
            "CIFAR-10, ResMLP L=2 without terminal LN: bp fa dfa",
            "CIFAR-10, ResMLP L=2: bp dfa",
            "CIFAR-10, ViT-Mini L=2: bp fa dfa",
            "teacher's labels, StudentNet L=2 α=0.5: bp fa dfa",
        ]
    );
    for trial in &records.trials {
        assert_eq!((trial.seed, trial.native_samples), (Some(42), Some(1024)));
        // The file has 2⁻³⁰ for the mean over 1024 = 2¹⁰ samples.
        assert_eq!(trial.epochs[0].gradient_last(), Some(0.5f64.powi(20)));
        assert_eq!(trial.epochs[1].hidden(1), Some(40.0));
        assert_eq!(trial.epochs[1].growth, Some(100.0));
        assert_eq!(trial.final_layers.hidden.last(), Some(4000.0));
    }
}

#[test]
fn a_penalised_log_knows_h_last_and_g_2_alone() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let entry = |epoch: u64| json!({"epoch": epoch, "h_L_norm": 305.5, "g_2_norm": 0.125, "acc_eval": 0.25});
    put(root, "dfa_residual_penalty/dfa_pen_lam0.01_s42.json", &json!({"log": [entry(6), entry(3)]}));
    put(root, "snapshot_evolution_v2/snapshot_evolution_s42.json", &json!({"dfa_log": plain()}));
    let records = read(root);
    let [penalised, vanilla] = &records.trials[..] else { panic!("{records:?}") };
    assert_eq!((penalised.rule.as_str(), penalised.penalty, penalised.seed), ("dfa", 0.01, Some(42)));
    assert_eq!(penalised.epochs.iter().map(|e| e.epoch).collect::<Vec<_>>(), [3, 6]);
    let point = &penalised.epochs[0];
    assert_eq!((point.hidden_last(), point.hidden(0)), (Some(305.5), None));
    assert_eq!((point.gradient_at(2), point.gradient_last()), (Some(128.0), None));
    // The depth is not in the file; all that is known agrees with the vanilla run.
    assert_ne!(penalised.setting, vanilla.setting);
    assert!(penalised.setting.agrees(&vanilla.setting) && vanilla.setting.agrees(&penalised.setting));
}

#[test]
fn what_is_missing_is_noted_and_absent() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let mut snapshot = json!({"bp_log": plain(), "dfa_log": plain(), "note": 1});
    snapshot["dfa_log"][0].as_object_mut().unwrap().remove("hidden_norms");
    snapshot["dfa_log"][1].as_object_mut().unwrap().remove("hidden_norms");
    put(root, "snapshot_evolution_v2/snapshot_evolution_s42.json", &snapshot);
    let mut results = json!({"42": {"bp": method()}});
    results["42"]["bp"]["log"].as_object_mut().unwrap().remove("train_loss");
    results["42"]["bp"]["diagnostics"]["nudging"].as_object_mut().unwrap().remove("0.01");
    put(root, "cifar10/results_cifar10.json", &results);
    put(root, "notes.json", &json!({"remember": "milk"}));
    let records = read(root);
    let find = |name: &str| records.trials.iter().find(|trial| trial.name.ends_with(name)).unwrap();
    assert_eq!(find("dfa_log").epochs[0].hidden_last(), None);
    assert_eq!(find("dfa_log").epochs[0].gradient_at(0), Some(1e-3 * 1024.0));
    assert_eq!(find("bp_log").epochs[0].hidden_last(), Some(4000.0));
    assert_eq!(find("42/bp").epochs[0].train_loss, None);
    assert!(find("42/bp").final_layers.nudge_at_input.is_empty());
    assert_eq!(
        notes(root, &records),
        [
            "cifar10/results_cifar10.json: `42/bp/log` has no key `train_loss`, so nothing is drawn there",
            "cifar10/results_cifar10.json, `42/bp/diagnostics/nudging/0.01`: missing, so it is not drawn",
            "notes.json: passed over: its keys, `remember`, are not those of a record",
            "snapshot_evolution_v2/snapshot_evolution_s42.json: `dfa_log/0` has no key `hidden_norms` (nor \
             `hidden_norms_cls`) (and 1 more), so nothing is drawn there",
            "snapshot_evolution_v2/snapshot_evolution_s42.json, `note`: an extra key, not read",
        ]
    );
}

#[test]
fn what_we_export_reads_back_as_our_runs() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let out = folder.path().join("out");
    let made = [Made::new("bp", 42), Made::new("dfa", 42), Made::new("dfa", 42).with("rule.penalty", "0.01")];
    let folders = ["a", "a", "b"];
    let paths: Vec<_> = made.iter().zip(folders).map(|(made, name)| made.write(&runs.join(name))).collect();
    let read_runs: Vec<Run> = paths.iter().map(|path| Run::read(path).unwrap()).collect();
    paper::export(&read_runs, &out).unwrap();
    let ours = read(&runs);
    let exported = paper::records(std::slice::from_ref(&out)).unwrap();
    // Each rule is in the results and in the snapshots, and must not count twice within a setting.
    assert_eq!(exported.trials.len(), 5);
    let same = |a: &Trial, b: &Trial| a.setting == b.setting && a.variant() == b.variant();
    assert!(exported.trials.windows(2).all(|pair| !same(&pair[0], &pair[1])));
    for trial in &exported.trials {
        let run = ours.trials.iter().find(|run| run.variant() == trial.variant()).unwrap();
        assert_eq!(trial.origin.recipe_hash, run.origin.recipe_hash, "{}", trial.name);
        assert_eq!(trial.epochs.len(), run.epochs.len() - 1);
        for (read, logged) in trial.epochs.iter().zip(&run.epochs[1..]) {
            assert_eq!((read.epoch, read.test_accuracy), (logged.epoch, logged.test_accuracy));
            // A power of two is divided by and multiplied with exactly.
            if let Some(norm) = read.gradient_at(2) {
                assert_eq!(Some(norm), logged.gradient_at(2));
                assert_eq!(read.hidden_last(), logged.hidden_last());
            }
        }
    }
    // The same tree copied elsewhere is the same.
    let copy = folder.path().join("copy/results/cifar10/results_cifar10.json");
    fs::create_dir_all(copy.parent().unwrap()).unwrap();
    fs::copy(out.join("results/cifar10/results_cifar10.json"), copy).unwrap();
    let both = paper::records(&[out, folder.path().join("copy")]).unwrap();
    assert_eq!(both.trials.len(), 5);
}
