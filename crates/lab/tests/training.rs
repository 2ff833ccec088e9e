//! What training records: identities that hold for any numbers, and two results that a reader would check.

mod common;

use common::{SMALL, train};
use record::{Cosine, Epoch, Run};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn timeless(run: &Run) -> Vec<Epoch> {
    let strip = |epoch: &Epoch| Epoch { train_seconds: 0.0, evaluation_seconds: 0.0, ..epoch.clone() };
    run.epochs.iter().map(strip).collect()
}

#[test]
fn cosines_obey_the_definitions_at_every_epoch() {
    let out = folder();
    let runs = train(&format!("{SMALL}rule.name = ['bp', 'fa', 'dfa']"), out.path());
    let value = |cosine: &Cosine| cosine.value().expect("a value");
    for (run, epoch) in runs.iter().flat_map(|run| run.epochs.iter().map(move |epoch| (run, epoch))) {
        let e = &epoch.evaluation;
        assert_eq!((e.cosine.len(), e.cosine_paper.len(), e.hidden.len()), (4, 3, 4));
        match run.record.rule.as_str() {
            "bp" => assert!(e.cosine.iter().all(|c| (value(c) - 1.0).abs() < 1e-12), "{e:?}"),
            "fa" => assert!((value(&e.cosine[3]) - 1.0).abs() < 1e-6, "{e:?}"),
            _ => assert_eq!(e.cosine[0], e.cosine_paper[0]),
        }
    }
    assert_eq!(runs[0].epochs[0].evaluation.hidden, runs[2].epochs[0].evaluation.hidden, "equal conditions");
    assert!(runs[0].epochs[0].train.is_none() && runs[0].epochs.len() == 4);
}

#[test]
fn frozen_is_trainable_last_0_and_changes_that_change_nothing_change_no_byte() {
    let out = folder();
    let trained =
        |name: &str, more: &str| timeless(&train(&format!("{SMALL}{more}"), &out.path().join(name))[0]);
    for rule in ["bp", "fa", "dfa"] {
        let with = |name: &str, more: &str| {
            trained(&format!("{rule}-{name}"), &format!("rule.name = '{rule}'\n{more}"))
        };
        assert_eq!(with("frozen", "rule.frozen = true"), with("last0", "rule.trainable_last = 0"), "{rule}");
        let plain = with("plain", "");
        assert_eq!(plain, with("last3", "rule.trainable_last = 3"), "{rule}");
        assert_eq!(plain, with("pen0", "rule.penalty = 0.0"), "{rule}");
        assert_ne!(plain, with("pen", "rule.penalty = 0.1"), "{rule}");
        assert_ne!(plain, with("random", "rule.random_targets = true"), "{rule}");
    }
}

#[test]
fn drift_is_zero_for_frozen_blocks_and_positive_elsewhere() {
    let out = folder();
    let runs = train(&format!("{SMALL}rule.frozen = true"), out.path());
    let drift = runs[0].record.drift.as_ref().expect("a finished run has its drift");
    for (name, value) in drift {
        assert_eq!(*value == 0.0, name.starts_with("blocks."), "{name}: {value}");
    }
    assert!(drift.contains_key("blocks.0.w1.weight") && !drift.contains_key("blocks.0.w2.bias"));
}

#[test]
fn random_targets_cannot_be_learnt() {
    let out = folder();
    let recipe = format!("{SMALL}rule.random_targets = [false, true]").replace("epochs = 3", "epochs = 8");
    let runs = train(&recipe, out.path());
    let accuracy = |run: &Run| run.last().expect("an epoch").test.accuracy;
    assert!(accuracy(&runs[0]) > 0.7, "{}", accuracy(&runs[0]));
    assert!(accuracy(&runs[1]) < 0.3, "{}", accuracy(&runs[1]));
}

/// The default teacher is a task on which depth pays: a linear model (the student without its blocks) stays well
/// below backpropagation, which reaches .9.
#[test]
fn the_default_teacher_needs_depth() {
    let out = folder();
    let recipe = "data.name = 'teacher'\nnet.name = 'student'\nrule.shallow = [false, true]\ntrain.epochs = 10\n\
                  eval.samples = 128";
    let runs = train(recipe, out.path());
    let accuracy: Vec<f64> = runs.iter().map(|run| run.last().expect("an epoch").test.accuracy).collect();
    assert!(accuracy[0] >= 0.9 && accuracy[1] <= 0.65, "deep {}, linear {}", accuracy[0], accuracy[1]);
}
