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

/// The trials that `where` accepts, as copies without the keys that the panel names: these do not count as differences of
/// the setting or as modifiers of the rule, and tell groups of seeds apart.
pub(super) struct Accepted<'a> {
    pub(super) copies: Records,
    originals: Vec<&'a Trial>,
}

impl<'a> Accepted<'a> {
    pub(super) fn new(records: &'a Records, conditions: &[Condition], keys: &[&str]) -> Self {
        let accepted = records.trials.iter().filter(|trial| conditions.iter().all(|c| c.accepts(trial)));
        let (trials, originals) = accepted.filter_map(|trial| Some((copy(trial, keys)?, trial))).unzip();
        let copies = Records { trials, order: records.order.clone(), ..Records::default() };
        Self { copies, originals }
    }

    /// The trial behind a copy.
    pub(super) fn original(&self, copy: &Trial) -> Option<&'a Trial> {
        let place = self.copies.trials.iter().position(|trial| std::ptr::eq(trial, copy));
        place.map(|place| self.originals[place])
    }
}

/// A trial without these keys but in words; none if it has modifiers that no key names.
fn copy(trial: &Trial, keys: &[&str]) -> Option<Trial> {
    let mut copy = trial.clone();
    if keys.is_empty() {
        return Some(copy);
    }
    keys.iter().for_each(|key| forget(&mut copy, key));
    copy.variant().is_plain().then(|| {
        let words = keys.iter().map(|key| {
            let value = Field::Key((*key).to_owned()).of(trial);
            format!("{key} = {}", value.map_or_else(|| "unset".to_owned(), |value| word(&value)))
        });
        copy.modifiers = words.collect::<Vec<_>>().join(", ");
        copy
    })
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
        let rest =
            trial.modifiers.split(", ").filter(|words| !words.starts_with(&start) && !words.is_empty());
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
