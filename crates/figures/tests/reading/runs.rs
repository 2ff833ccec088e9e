//! Run directories.

use crate::made::{Made, notes, read, settings};
use figures::reader::{Records, Variant};
use record::{Measured, Status, Why};
use std::fs;

#[test]
fn a_run_comes_back_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let made = Made::new("dfa", 42).with("rule.penalty", "0.01");
    let path = made.write(folder.path());
    let records = read(folder.path());
    let [trial] = &records.trials[..] else { panic!("{records:?}") };
    assert_eq!((trial.name.as_str(), trial.rule.as_str(), trial.seed), ("dfa-s42", "dfa", Some(42)));
    assert_eq!((trial.penalty, trial.frozen, trial.modifiers.as_str()), (0.01, false, ""));
    assert_eq!(trial.setting.to_string(), "CIFAR-10, ResMLP d=64 L=2, 3 epochs");
    assert_eq!(trial.origin.path, path);
    assert_eq!(trial.origin.recipe_hash, Some(made.hash()));
    assert_eq!((trial.status.clone(), trial.native_samples), (Some(Status::Finished), None));
    assert_eq!(trial.drift, [Some(1.5), None]);
    assert_eq!(trial.epochs.len(), 4);
    for (t, point) in trial.epochs.iter().enumerate() {
        let logged = made.epoch(t as u64);
        assert_eq!(point.epoch, t as u64);
        assert_eq!(point.train_accuracy, logged.train.map(|score| score.accuracy));
        assert_eq!(point.test_accuracy, Some(logged.test.accuracy));
        assert_eq!(point.hidden_last(), logged.evaluation.hidden().last().copied());
        assert_eq!(point.hidden(0), Some(logged.evaluation.hidden()[0]));
        assert_eq!(point.gradient_at(1), Some(logged.evaluation.gradient()[1]));
        assert_eq!(point.gradient_last(), Some(logged.evaluation.gradient()[2]));
        assert_eq!((point.gradient_at(3), point.state_error), (None, None));
    }
    assert_eq!(trial.accuracy(), Some(made.epoch(3).test.accuracy));
    // Without an audit the layers are those of the last epoch; Γ counts what is defined, and says so.
    let below = Measured::Unreliable { value: 0.1, why: Why::ReferenceBelowFloor };
    assert_eq!(trial.final_layers.cosine_at_input, [Some(Measured::Defined { value: 0.5 }), Some(below)]);
    let gamma = trial.final_layers.gamma;
    assert_eq!((gamma.at_input.defined, gamma.at_input.units, gamma.at_input.of), (Some(0.5), 1, 2));
    assert_eq!((gamma.at_input.all, gamma.here.defined), (Some(0.3), Some(0.75)));
    assert!(trial.final_layers.rho.is_empty());
    assert_eq!(notes(folder.path(), &records), Vec::<String>::new());
}

#[test]
fn infinity_and_nan_stay() {
    let folder = tempfile::tempdir().unwrap();
    let made = Made::new("dfa", 1);
    let mut epoch = made.epoch(0);
    let mut set =
        |name: &str, value: f64| epoch.evaluation.series.get_mut(name).unwrap().values[2] = value.into();
    set("hidden", f64::INFINITY);
    set("gradient", f64::NAN);
    made.write_as(&folder.path().join("dfa-s1"), &[epoch]);
    let point = &read(folder.path()).trials[0].epochs[0];
    assert_eq!(point.hidden_last(), Some(f64::INFINITY));
    assert!(point.gradient_last().unwrap().is_nan());
}

#[test]
fn seeds_of_a_variant_are_together_and_rules_in_order() {
    let folder = tempfile::tempdir().unwrap();
    for seed in [456, 42, 123] {
        for rule in ["drtp", "aaa", "dfa", "bp"] {
            Made::new(rule, seed).write(folder.path());
        }
        Made::new("dfa", seed).with("rule.frozen", "true").write(&folder.path().join("frozen/deep"));
        Made::new("dfa", seed).with("rule.penalty", "0.01").write(&folder.path().join("penalty"));
    }
    let records = read(folder.path());
    assert_eq!(settings(&records), 1);
    let groups: Vec<_> = records.trials.chunk_by(|a, b| a.variant() == b.variant()).collect();
    let names: Vec<String> = groups.iter().map(|group| group[0].variant().to_string()).collect();
    assert_eq!(names, ["bp", "dfa", "dfa, λ = 0.01", "dfa, frozen", "drtp", "aaa"]);
    assert!(groups.iter().all(|group| group.iter().map(|trial| trial.seed.unwrap()).eq([42, 123, 456])));
    // The frozen baseline is of the same seed, and serves the penalised runs too.
    for trial in records.trials.iter().filter(|trial| trial.rule == "dfa" && !trial.frozen) {
        let baseline = records.frozen_baseline(trial).unwrap();
        assert!(baseline.frozen && baseline.rule == "dfa" && baseline.seed == trial.seed);
        assert_eq!(records.frozen_accuracy(trial), baseline.accuracy());
    }
    let frozen = records.trials.iter().find(|trial| trial.frozen).unwrap();
    assert!(records.frozen_baseline(frozen).is_none());
    let bp = records.trials.iter().find(|trial| trial.rule == "bp").unwrap();
    assert!(records.frozen_baseline(bp).is_none() && records.frozen_accuracy(bp).is_none());
    assert!(bp.variant() == Variant::plain("bp") && bp.variant().is_plain());
}

#[test]
fn a_baseline_counts_at_the_same_epoch_only() {
    let folder = tempfile::tempdir().unwrap();
    let short = Made::new("fa", 1).with("train.epochs", "3").status(Status::Interrupted);
    let epochs: Vec<_> = (0..=1).map(|e| short.epoch(e)).collect();
    let frozen = Made::new("fa", 1).with("rule.frozen", "true");
    short.write_as(&folder.path().join("fa-s1"), &epochs);
    frozen.write(&folder.path().join("frozen"));
    let records = read(folder.path());
    let trial = records.trials.iter().find(|trial| !trial.frozen).unwrap();
    assert_eq!(records.frozen_accuracy(trial), Some(frozen.epoch(1).test.accuracy));
    let whole = ["fa-s1: was interrupted: drawn as far as it got"];
    assert_eq!(notes(folder.path(), &records), whole);
}

#[test]
fn to_train_the_last_0_blocks_is_to_freeze_them() {
    let folder = tempfile::tempdir().unwrap();
    Made::new("dfa", 1).write(folder.path());
    Made::new("dfa", 1).with("rule.trainable_last", "0").write(&folder.path().join("frozen"));
    let records = read(folder.path());
    let [trial, frozen] = &records.trials[..] else { panic!("{records:?}") };
    assert_eq!((trial.frozen, frozen.frozen), (false, true));
    assert_eq!(frozen.variant().to_string(), "dfa, frozen");
    assert_eq!(records.frozen_baseline(trial), Some(frozen));
}

#[test]
fn thresholds_are_those_of_the_recipe() {
    let folder = tempfile::tempdir().unwrap();
    Made::new("bp", 1).write(folder.path());
    Made::new("dfa", 1).with("protocol.growth", "20").with("protocol.floor", "1e-9").write(folder.path());
    let records = read(folder.path());
    let usual = protocol::THRESHOLDS;
    let found: Vec<_> = records.trials.iter().map(|trial| trial.thresholds).collect();
    assert_eq!(found, [usual, protocol::Thresholds { growth: 20.0, floor: 1e-9, ..usual }]);
}

#[test]
fn modifiers_are_said_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let modifiers = [
        (vec![("rule.shallow", "true"), ("rule.random_targets", "true")], "shallow, random targets"),
        (vec![("rule.trainable_last", "1")], "only the last block trained"),
        (vec![("rule.trainable_last", "2")], ""),
        (vec![("rule.decay", "0.15"), ("net.d", "32")], "decay = 0.15"),
        (vec![("rule.decay", "0.3"), ("net.d", "32")], "decay = 0.3"),
    ];
    for (i, (keys, _)) in modifiers.iter().enumerate() {
        Made { keys: keys.clone(), ..Made::new("kolen_pollack", 1) }
            .write(&folder.path().join(i.to_string()));
    }
    let records = read(folder.path());
    assert_eq!(records.trials.len(), modifiers.len());
    for (i, (_, words)) in modifiers.iter().enumerate() {
        let path = folder.path().join(i.to_string()).join("kolen_pollack-s1");
        let trial = records.trials.iter().find(|trial| trial.origin.path == path).unwrap();
        assert_eq!(trial.modifiers, *words);
    }
}

#[test]
fn the_same_run_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = Made::new("bp", 1).write(&folder.path().join("runs"));
    let folders = [folder.path().to_owned(), path.clone(), path.clone(), path.join("run.json")];
    let records = Records::read(&folders).unwrap();
    assert_eq!((records.trials.len(), records.notes.len()), (1, 0));
    // A copy elsewhere is noted, and the one that got further stays, in any folder.
    let short = Made { epochs: 1, ..Made::new("bp", 1).with("train.epochs", "3") };
    short.status(Status::Running).write(&folder.path().join("copy"));
    let records = read(folder.path());
    assert_eq!(records.trials.len(), 1);
    assert_eq!(records.trials[0].origin.path, path);
    let said = notes(folder.path(), &records);
    assert_eq!(said.len(), 2);
    assert_eq!(said[0], "copy/bp-s1: has not finished");
    assert!(said[1].starts_with("copy/bp-s1: left out, the same as runs/bp-s1"), "{said:?}");
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_circles_end() {
    let folder = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let path = Made::new("bp", 1).write(other.path());
    std::os::unix::fs::symlink(&path, folder.path().join("link")).unwrap();
    std::os::unix::fs::symlink(folder.path(), folder.path().join("circle")).unwrap();
    let records = read(folder.path());
    assert_eq!(records.trials.len(), 1);
    assert_eq!(records.trials[0].origin.path, folder.path().join("link"));
}

#[test]
fn a_run_without_an_epoch_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    Made::new("bp", 1).write(folder.path());
    let fresh = Made::new("fa", 1).status(Status::Running);
    fresh.write_as(&folder.path().join("fa-s1"), &[]);
    let said = ["fa-s1, `metrics.jsonl`: passed over: no epoch has been measured yet"];
    let records = read(folder.path());
    assert_eq!((records.trials.len(), notes(folder.path(), &records)), (1, said.map(str::to_owned).into()));
    fs::remove_file(folder.path().join("fa-s1/metrics.jsonl")).unwrap();
    assert_eq!(notes(folder.path(), &read(folder.path())), said);
}
