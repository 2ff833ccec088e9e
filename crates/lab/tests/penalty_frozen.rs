//! Depth utility compares a run with its frozen baseline, and a penalised run with the baseline that has no penalty. That is
//! fair: where no block is trained, a penalty on their branches reaches nothing but, by backpropagation, the embedding.

mod common;
mod saved;

use common::{SMALL, train};
use record::{Epoch, Run};

/// Runs without and with a penalty.
fn pair(rule: &str, frozen: bool, folder: &std::path::Path) -> [Run; 2] {
    let width = if rule.ends_with("bridge") { "rule.bridge_width = 24" } else { "" };
    let recipe =
        format!("{SMALL}rule.name = '{rule}'\nrule.frozen = {frozen}\nrule.penalty = [0.0, 0.1]\n{width}\n")
            .replace("epochs = 3", "epochs = 2");
    train(&recipe, folder).try_into().expect("two runs")
}

fn epochs(run: &Run) -> Vec<Epoch> {
    run.epochs.iter().map(Epoch::timeless).collect()
}

#[test]
fn a_penalty_on_frozen_blocks_changes_backpropagation_alone() {
    for rule in rules::NAMES {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [plain, penalised] = pair(rule, true, folder.path());
        let differing = saved::differing(&plain.path, &penalised.path);
        if rule == "bp" {
            assert!(differing.iter().any(|name| name == "embed.weight"), "{differing:?}");
            assert!(!differing.iter().any(|name| name.starts_with("blocks.")), "{differing:?}");
        } else {
            assert_eq!(differing, Vec::<String>::new(), "{rule}");
            assert_eq!(epochs(&plain), epochs(&penalised), "{rule}");
            assert_eq!(plain.record.drift, penalised.record.drift, "{rule}");
        }
    }
}

/// The same penalty does something as soon as there are blocks to train.
#[test]
fn a_penalty_on_trained_blocks_changes_every_rule() {
    for rule in rules::NAMES {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [plain, penalised] = pair(rule, false, folder.path());
        let differing = saved::differing(&plain.path, &penalised.path);
        assert!(differing.iter().any(|name| name == "blocks.0.w2.weight"), "{rule}: {differing:?}");
    }
}
