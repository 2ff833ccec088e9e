//! Which runs are compared: those that differ in nothing but rule, seed, normalisation of credit and clipping.

use crate::catalogue::choose::keep_finished;
use crate::reader::{Records, Trial, Variant};
use record::normalise::NAMES;
use std::collections::{BTreeMap, BTreeSet};

/// The keys of a training, without those that `aside` names, and the data.
type Kind = (Vec<(String, String)>, Option<String>);

/// The runs of one rule.
pub(super) struct Rule<'a> {
    pub(super) name: String,
    /// By clipping, in the order of [`Cells::clips`], and by normalisation, in the order of [`NAMES`].
    pub(super) cells: Vec<[Vec<&'a Trial>; 3]>,
}

/// All runs that are compared.
pub(super) struct Cells<'a> {
    pub(super) rules: Vec<Rule<'a>>,
    /// Norms that gradients were clipped to, 0 for none, in ascending order.
    pub(super) clips: Vec<f64>,
    pub(super) notes: Vec<String>,
}

impl<'a> Cells<'a> {
    /// The runs of the setting that has most of them. `None` if no rule has credit normalised in two ways.
    pub(super) fn of(records: &'a Records) -> Option<Self> {
        let setting = |key: &str| !key.starts_with("rule.") && !["seed", "optim.clip"].contains(&key);
        let all = by_kind(records.trials.iter().filter(|trial| trial.normalise().is_some()), setting);
        let settings = all.len();
        let (_, members) = all.into_iter().filter(|(_, members)| differ(members)).max_by_key(size)?;
        let mut notes = Vec::new();
        match settings {
            1 => {}
            2 => notes.push("left out: runs of another setting".to_owned()),
            many => notes.push(format!("left out: runs of {} other settings", many - 1)),
        }
        let mut by_rule: BTreeMap<Variant, Vec<&Trial>> = BTreeMap::new();
        for trial in members {
            by_rule.entry(Variant::plain(&trial.rule)).or_default().push(trial);
        }
        // Of a rule that is never normalised, such as bp, there is nothing to compare.
        by_rule.retain(|_, trials| trials.iter().any(|trial| trial.normalise() != Some("none")));
        let clips: BTreeSet<u64> = by_rule.values().flatten().map(|trial| trial.clip().to_bits()).collect();
        let clips: Vec<f64> = clips.into_iter().map(f64::from_bits).collect();
        let rules = by_rule.into_iter().map(|(variant, trials)| of_rule(variant, trials, &clips, &mut notes));
        Some(Self { rules: rules.collect(), clips, notes })
    }

    /// All trials.
    pub(super) fn trials(&self) -> impl Iterator<Item = &'a Trial> {
        self.rules.iter().flat_map(|rule| rule.cells.iter().flatten().flatten()).copied()
    }

    /// The most seeds of any cell.
    pub(super) fn seeds(&self) -> usize {
        self.rules.iter().flat_map(|rule| rule.cells.iter().flatten()).map(Vec::len).max().unwrap_or(0)
    }
}

/// The cells of a rule. Its other keys, such as a penalty, are those that most of its runs have, the plain rule first.
fn of_rule<'a>(variant: Variant, trials: Vec<&'a Trial>, clips: &[f64], notes: &mut Vec<String>) -> Rule<'a> {
    let modifiers = |key: &str| key.starts_with("rule.") && key != "rule.normalise";
    let (plain, changed): (Vec<&Trial>, Vec<&Trial>) = trials.into_iter().partition(|t| is_plain(t));
    let chosen = if plain.is_empty() { changed } else { plain };
    let members = by_kind(chosen, modifiers).into_iter().max_by_key(size).map_or(Vec::new(), |(_, m)| m);
    let mut cell = |clip: f64, name: &str| {
        let is_here = |trial: &&Trial| trial.clip() == clip && trial.normalise() == Some(name);
        let mut cell: Vec<&Trial> = members.iter().copied().filter(is_here).collect();
        cell.sort_by_key(|trial| trial.seed);
        if !cell.is_empty() {
            let modifiers = format!("normalise = {name}, clip = {clip}");
            keep_finished(&Variant { modifiers, ..variant.clone() }, &mut cell, notes);
        }
        cell
    };
    let cells = clips.iter().map(|&clip| NAMES.map(|name| cell(clip, name))).collect();
    Rule { name: variant.rule.clone(), cells }
}

/// Whether nothing changes the rule, whatever its normalisation.
fn is_plain(trial: &Trial) -> bool {
    let Some(keys) = &trial.keys else { return false };
    let modifiers = protocol::modifiers(keys.recipe(), u64::MAX);
    let changed = modifiers.shallow || modifiers.random_targets || modifiers.trainable_last.is_some();
    !trial.frozen && modifiers.penalty == 0.0 && !changed
}

/// Trials that agree in the keys that `counts` accepts.
fn by_kind<'a>(
    trials: impl IntoIterator<Item = &'a Trial>,
    counts: impl Fn(&str) -> bool,
) -> BTreeMap<Kind, Vec<&'a Trial>> {
    let mut kinds: BTreeMap<Kind, Vec<&Trial>> = BTreeMap::new();
    for trial in trials {
        let recipe = trial.keys.iter().flat_map(|keys| keys.recipe());
        let keys = recipe.filter(|(key, _)| counts(key)).map(|(key, value)| (key.clone(), value.to_string()));
        kinds.entry((keys.collect(), trial.origin.data_hash.clone())).or_default().push(trial);
    }
    kinds
}

fn size(kind: &(Kind, Vec<&Trial>)) -> usize {
    kind.1.len()
}

/// Whether some rule's credit is normalised in two ways.
fn differ(trials: &[&Trial]) -> bool {
    let mut ways: BTreeMap<&str, BTreeSet<Option<&str>>> = BTreeMap::new();
    for trial in trials {
        ways.entry(&trial.rule).or_default().insert(trial.normalise());
    }
    ways.values().any(|ways| ways.len() > 1)
}
