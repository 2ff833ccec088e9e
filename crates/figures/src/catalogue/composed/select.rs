//! Which trials a panel shows: those that `where` accepts, of one setting apart from the keys that the panel names.

use super::field::{Field, same, word};
use crate::reader::{Records, Setting, Trial};
use toml::Value;

/// A condition of `where`: one of the values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Condition {
    pub(super) field: Field,
    pub(super) values: Vec<Value>,
}

impl Condition {
    fn accepts(&self, trial: &Trial) -> bool {
        self.field.of(trial).is_some_and(|value| self.values.iter().any(|wanted| same(wanted, &value)))
    }
}

/// Trials that belong together.
pub(super) type Cohort<'a> = Vec<&'a Trial>;

/// The trials that `where` accepts, as they are but for the keys that the panel names: these do not count as differences
/// of the setting or as modifiers of the rule, and tell groups of seeds apart.
pub(super) fn accepted(records: &Records, conditions: &[Condition], keys: &[&str]) -> Records {
    let accepted = records.trials.iter().filter(|trial| conditions.iter().all(|c| c.accepts(trial)));
    let trials = accepted.filter_map(|trial| {
        if keys.is_empty() {
            return Some(trial.clone());
        }
        let mut copy = trial.clone();
        keys.iter().for_each(|key| forget(&mut copy, key));
        // Modifiers that no key names are not what was asked for.
        copy.variant().is_plain().then(|| {
            let words = keys.iter().map(|key| {
                let value = Field::Key((*key).to_owned()).of(trial).map_or_else(|| "unset".to_owned(), |v| word(&v));
                format!("{key} = {value}")
            });
            copy.modifiers = words.collect::<Vec<_>>().join(", ");
            copy
        })
    });
    Records { trials: trials.collect(), notes: Vec::new() }
}

/// Takes from a trial what says how it differs in a key.
fn forget(trial: &mut Trial, key: &str) {
    match key {
        "rule.penalty" => trial.penalty = 0.0,
        "rule.frozen" => trial.frozen = false,
        "rule.shallow" | "rule.random_targets" | "rule.trainable_last" => trial.modifiers.clear(),
        _ => {}
    }
    if let Some(name) = key.strip_prefix("rule.") {
        let start = format!("{name} = ");
        let rest = trial.modifiers.split(", ").filter(|words| !words.starts_with(&start) && !words.is_empty());
        trial.modifiers = rest.collect::<Vec<_>>().join(", ");
    }
    let Setting { data, network, out_ln, d, blocks, alpha, epochs, schedule, other } = &mut trial.setting;
    match key {
        "data.name" => data.clear(),
        "net.name" => network.clear(),
        "net.out_ln" => *out_ln = None,
        "net.d" => *d = None,
        "net.blocks" => *blocks = None,
        "net.alpha" => *alpha = None,
        "train.epochs" | "train.stop_after" => (*epochs, *schedule) = (None, None),
        _ => other.retain(|words| !words.starts_with(&format!("{key} = "))),
    }
}
