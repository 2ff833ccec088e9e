//! The frozen baseline of a run: the same training, seed included, with every block left at its initial value.

use record::Run;
use std::collections::BTreeMap;
use toml::Value;

/// A resolved recipe under dotted keys, as [`Run::recipe`] has it.
pub type Recipe = BTreeMap<String, Value>;

/// Leaves of a recipe the keys that steer training, and gives those that it lacks the values that held before they existed.
pub type Fill<'a> = &'a dyn Fn(&mut Recipe);

/// Changes nothing: every key counts, also one that only one of two recipes has.
pub fn as_written(_: &mut Recipe) {}

/// Whether a recipe leaves every block at its initial value.
///
/// ```
/// use protocol::baseline::is_frozen;
/// assert!(is_frozen(&record::flatten("rule.frozen = true".parse()?)));
/// assert!(is_frozen(&record::flatten("rule.trainable_last = 0".parse()?)));
/// assert!(!is_frozen(&record::flatten("rule.trainable_last = 1".parse()?)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_frozen(recipe: &Recipe) -> bool {
    let last = recipe.get("rule.trainable_last").and_then(Value::as_integer);
    recipe.get("rule.frozen").and_then(Value::as_bool) == Some(true) || last == Some(0)
}

/// What steers the training of a run, key by key.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingKeys(Recipe);

impl TrainingKeys {
    /// The training keys of a resolved recipe, completed by `fill`.
    pub fn of(recipe: &Recipe, fill: Fill<'_>) -> Self {
        let mut keys = recipe.clone();
        fill(&mut keys);
        Self(keys)
    }

    /// All of them.
    pub fn recipe(&self) -> &Recipe {
        &self.0
    }

    /// Whether every block is left at its initial value.
    pub fn is_frozen(&self) -> bool {
        is_frozen(&self.0)
    }

    /// Whether these differ from the keys of `run` in nothing but the freezing. A penalty moves only the blocks themselves, so
    /// that it does nothing where they are frozen, except under `bp`, where it flows on to the embedding.
    fn freezes(&self, run: &Self) -> bool {
        self.is_frozen() && !run.is_frozen() && self.beside_freezing().eq(run.beside_freezing())
    }

    fn beside_freezing(&self) -> impl Iterator<Item = (&String, &Value)> {
        let is_bp = self.0.get("rule.name").and_then(Value::as_str) == Some("bp");
        self.0.iter().filter(move |(key, _)| match key.as_str() {
            "rule.frozen" | "rule.trainable_last" => false,
            "rule.penalty" => is_bp,
            _ => true,
        })
    }
}

/// A run as far as its baseline is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Trained<'a> {
    /// What steered its training.
    pub keys: &'a TrainingKeys,
    /// Hash of its data.
    pub data: &'a str,
    /// Whether it was trained to its end.
    pub complete: bool,
}

impl Trained<'_> {
    /// Whether this is the frozen baseline of `run`: complete, on the same data, and different in nothing but the freezing.
    pub fn is_baseline_of(&self, run: &Trained<'_>) -> bool {
        self.complete && self.data == run.data && self.keys.freezes(run.keys)
    }
}

/// The accuracy of a run's frozen baseline among `others`, after as many epochs as the run has.
///
/// ```no_run
/// use protocol::{THRESHOLDS, baseline, depth_utility};
/// let paths = record::find_runs("runs/demo".as_ref())?;
/// let runs: Vec<record::Run> = paths.iter().map(|path| record::Run::read(path)).collect::<Result<_, _>>()?;
/// for run in &runs {
///     let accuracy = run.last().map(|epoch| epoch.test.accuracy);
///     let frozen = baseline::frozen_accuracy(run, &runs, &baseline::as_written);
///     println!("{:?}", depth_utility(accuracy, frozen, &THRESHOLDS));
/// }
/// # Ok::<(), record::Error>(())
/// ```
pub fn frozen_accuracy(run: &Run, others: &[Run], fill: Fill<'_>) -> Option<f64> {
    let epochs = run.last()?.epoch;
    let own = TrainingKeys::of(&run.recipe, fill);
    let is_baseline = |other: &&Run| {
        // Most runs are no baselines, and this is quick to see.
        other.record.provenance.seed == run.record.provenance.seed
            && is_frozen(&other.recipe)
            && trained(other, &TrainingKeys::of(&other.recipe, fill)).is_baseline_of(&trained(run, &own))
    };
    let baseline = others.iter().find(is_baseline)?;
    let epoch = baseline.epochs.iter().find(|epoch| epoch.epoch == epochs)?;
    Some(epoch.test.accuracy)
}

fn trained<'a>(run: &'a Run, keys: &'a TrainingKeys) -> Trained<'a> {
    Trained { keys, data: &run.record.provenance.data_hash, complete: run.record.status.is_complete() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Leaves what steers training, as a reader who knows the schema does.
    fn steering(recipe: &mut Recipe) {
        let aside = ["name", "train.stop_after", "audit.", "eval.", "protocol."];
        recipe.retain(|key, _| !aside.iter().any(|name| key.starts_with(name)));
    }

    fn keys(recipe: &str) -> TrainingKeys {
        filled(recipe, &steering)
    }

    fn filled(recipe: &str, fill: Fill<'_>) -> TrainingKeys {
        TrainingKeys::of(&record::flatten(recipe.parse().expect("TOML")), fill)
    }

    fn matched(baseline: &TrainingKeys, run: &TrainingKeys) -> bool {
        let trained = |keys| Trained { keys, data: "data", complete: true };
        trained(baseline).is_baseline_of(&trained(run))
    }

    const RUN: &str = "name = 'a'\nseed = 1\nrule.name = 'dfa'\noptim.lr = 0.1\n";

    #[test]
    fn only_what_steers_training_tells_a_baseline_from_another_run() {
        let run = keys(&format!("{RUN}rule.frozen = false\n"));
        for same in [
            "rule.frozen = true",
            "rule.trainable_last = 0",
            "rule.frozen = true\naudit.every = 1.0\neval.samples = 9\nprotocol.growth = 9.0\ntrain.stop_after = 2",
            "rule.frozen = true\nrule.penalty = 0.01",
        ] {
            let text = format!("{RUN}{same}\n").replace("name = 'a'", "name = 'b'");
            assert!(matched(&keys(&text), &run), "{same}");
        }
        for other in ["rule.trainable_last = 1", "rule.frozen = true\nnet.d = 3"] {
            assert!(!matched(&keys(&format!("{RUN}{other}\n")), &run), "{other}");
        }
        let reseeded = format!("{RUN}rule.frozen = true\n").replace("seed = 1", "seed = 2");
        assert!(!matched(&keys(&reseeded), &run));
        assert!(!matched(&run, &run), "a run that trains its blocks is no baseline");
    }

    #[test]
    fn a_penalty_of_bp_reaches_the_embedding() {
        let bp = RUN.replace("dfa", "bp");
        let run = keys(&format!("{bp}rule.frozen = false\nrule.penalty = 0.01\n"));
        assert!(!matched(&keys(&format!("{bp}rule.frozen = true\nrule.penalty = 0.0\n")), &run));
        assert!(matched(&keys(&format!("{bp}rule.frozen = true\nrule.penalty = 0.01\n")), &run));
    }

    #[test]
    fn a_key_that_is_newer_than_a_baseline_has_the_value_of_before() {
        let fill = |recipe: &mut Recipe| {
            recipe.entry("optim.new".to_owned()).or_insert(Value::Float(0.5));
        };
        let baseline = format!("{RUN}rule.frozen = true\n");
        let run = |value: &str| format!("{RUN}optim.new = {value}\n");
        assert!(!matched(&keys(&baseline), &keys(&run("0.5"))), "as written they differ");
        assert!(matched(&filled(&baseline, &fill), &filled(&run("0.5"), &fill)));
        assert!(!matched(&filled(&baseline, &fill), &filled(&run("0.7"), &fill)));
    }
}
