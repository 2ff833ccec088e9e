//! Which trials a figure shows: those of one setting, as far as settings are known. It notes which others it left out.

use super::request::Request;
use super::sentences::list;
use crate::reader::{OriginKind, Records, Setting, Trial, Variant};
use record::Status;
use std::collections::{BTreeMap, BTreeSet};

/// How the note of a setting that a figure leaves out begins.
pub const LEFT_OUT: &str = "left out, another setting: ";

/// Trials of one setting, by rule and modifiers, each list in the order of its seeds.
#[derive(Clone, Debug)]
pub struct Chosen<'a> {
    /// The setting, as far as known.
    pub setting: Setting,
    /// Trials by variant, in the order of legends.
    pub groups: Groups<'a>,
    /// What was left out, one sentence each.
    pub notes: Vec<String>,
}

/// Trials by variant, in the order of legends.
#[derive(Clone, Debug, Default)]
pub struct Groups<'a>(Vec<(Variant, Vec<&'a Trial>)>);

impl<'a> Groups<'a> {
    /// Each variant with its trials.
    pub fn iter(&self) -> impl Iterator<Item = (&Variant, &Vec<&'a Trial>)> {
        self.0.iter().map(|(variant, trials)| (variant, trials))
    }

    /// The variants.
    pub fn keys(&self) -> impl Iterator<Item = &Variant> {
        self.0.iter().map(|(variant, _)| variant)
    }

    /// The trials of each variant.
    pub fn values(&self) -> impl Iterator<Item = &Vec<&'a Trial>> {
        self.0.iter().map(|(_, trials)| trials)
    }

    /// The trials of a variant.
    pub fn get(&self, variant: &Variant) -> Option<&Vec<&'a Trial>> {
        self.iter().find(|(known, _)| *known == variant).map(|(_, trials)| trials)
    }

    /// How many variants there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl<'a> Chosen<'a> {
    /// Without any trial.
    pub fn empty() -> Self {
        Self { setting: Setting::default(), groups: Groups::default(), notes: Vec::new() }
    }

    /// With a note for each of these settings.
    pub fn leaving_out<'b>(mut self, settings: impl IntoIterator<Item = &'b Setting>) -> Self {
        let mut others: Vec<&Setting> = settings.into_iter().collect();
        others.sort();
        others.dedup();
        self.notes.extend(others.into_iter().map(|other| format!("{LEFT_OUT}{other}")));
        self
    }

    /// All its trials.
    pub fn trials(&self) -> impl Iterator<Item = &'a Trial> {
        self.groups.values().flatten().copied()
    }

    /// Groups that are neither frozen nor changed otherwise.
    pub fn plain(&self) -> impl Iterator<Item = (&Variant, &[&'a Trial])> {
        self.groups.iter().filter(|(variant, _)| variant.is_plain()).map(|(v, t)| (v, t.as_slice()))
    }

    /// The trials of a variant.
    pub fn of(&self, variant: &Variant) -> &[&'a Trial] {
        self.groups.get(variant).map_or(&[], Vec::as_slice)
    }

    /// Whether some variant has several seeds.
    pub fn has_several(&self) -> bool {
        self.groups.values().any(|trials| trials.len() > 1)
    }

    /// Seeds in words: `seed 42`, `3 seeds`, `3 seeds (EP: 1)`.
    pub fn seeds(&self, request: &Request) -> String {
        let mut seeds: Vec<u64> = self.trials().filter_map(|trial| trial.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        match seeds.as_slice() {
            [] => return String::new(),
            [seed] => return format!("seed {seed}"),
            _ => {}
        }
        let mut counts: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (variant, trials) in self.groups.iter() {
            counts.entry(trials.len()).or_default().push(request.name(variant));
        }
        let usual = counts.iter().max_by_key(|(count, names)| (names.len(), **count));
        let usual = usual.map_or(0, |(count, _)| *count);
        let words = if usual == 1 { "1 seed each".to_owned() } else { format!("{usual} seeds") };
        let others = counts.iter().rev().filter(|(count, _)| **count != usual);
        let others: Vec<String> = others.map(|(count, names)| format!("{}: {count}", list(names))).collect();
        if others.is_empty() { words } else { format!("{words} ({})", others.join("; ")) }
    }
}

/// The trials that `wanted` accepts, of the setting with the most plain rules among them: figures compare rules. Among settings
/// with as many, it is the one that most records belong to, so that the figures of one folder show the same setting; further ties go to
/// the first setting.
pub fn choose<'a>(records: &'a Records, wanted: impl Fn(&Trial) -> bool) -> Option<Chosen<'a>> {
    choose_with(records, wanted, |_| true)
}

/// The same among the settings that have a trial which `needed` accepts, for figures that are about one rule.
pub(super) fn choose_with<'a>(
    records: &'a Records,
    wanted: impl Fn(&Trial) -> bool,
    needed: impl Fn(&Trial) -> bool,
) -> Option<Chosen<'a>> {
    let trials: Vec<&Trial> = records.trials.iter().filter(|trial| wanted(trial)).collect();
    let mut settings: Vec<&Setting> = trials.iter().map(|trial| &trial.setting).collect();
    settings.sort();
    settings.dedup();
    let everything: Vec<&Trial> = records.trials.iter().collect();
    let weight = |setting: &Setting| {
        let (_, members) = together(setting, &trials);
        let plain = members.iter().filter(|trial| trial.variant().is_plain());
        let rules: BTreeSet<&str> = plain.map(|trial| trial.rule.as_str()).collect();
        (rules.len(), together(setting, &everything).1.len(), members.len())
    };
    let has_needed = |setting: &&&Setting| together(setting, &trials).1.into_iter().any(&needed);
    // `max_by_key` returns the last of equals, so the order is reversed.
    let best = settings.iter().rev().filter(has_needed).max_by_key(|setting| weight(setting)).copied()?;
    let (setting, members) = together(best, &trials);
    let mut groups: BTreeMap<Variant, Vec<&Trial>> = BTreeMap::new();
    for trial in members {
        groups.entry(trial.variant()).or_default().push(trial);
    }
    let mut notes = Vec::new();
    for (variant, group) in &mut groups {
        group.sort_by_key(|trial| trial.seed);
        keep_finished(variant, group, &mut notes);
    }
    let others: Vec<&Setting> = settings.iter().copied().filter(|other| !other.agrees(&setting)).collect();
    let mut groups: Vec<(Variant, Vec<&Trial>)> = groups.into_iter().collect();
    // Stable: variants of a rule stay in their order.
    groups.sort_by(|(a, _), (b, _)| records.place(&a.rule).cmp(&records.place(&b.rule)));
    Some(Chosen { setting, groups: Groups(groups), notes }.leaving_out(others))
}

/// The trials that can be drawn together, and all that is known of their setting. A file without a size agrees with every
/// size, but those sizes do not agree with each other, so trials with more complete settings come first.
fn together<'a>(start: &Setting, trials: &[&'a Trial]) -> (Setting, Vec<&'a Trial>) {
    let known = |s: &Setting| {
        let facts = [s.d.is_some(), s.blocks.is_some(), s.epochs.is_some(), s.out_ln.is_some()];
        facts.into_iter().filter(|is_known| *is_known).count()
    };
    let mut order: Vec<&Trial> = trials.iter().copied().filter(|t| t.setting.agrees(start)).collect();
    order.sort_by_key(|trial| (trial.setting != *start, std::cmp::Reverse(known(&trial.setting))));
    let mut setting = start.clone();
    let mut members = Vec::new();
    for trial in order {
        if trial.setting.agrees(&setting) {
            setting = setting.filled(&trial.setting);
            members.push(trial);
        }
    }
    (setting, members)
}

/// Leaves out seeds that have not finished or ended before the others: they would cut curves short, and their final values
/// do not compare. If none has finished, all are shown and a note says so.
pub(super) fn keep_finished(variant: &Variant, group: &mut Vec<&Trial>, notes: &mut Vec<String>) {
    let path = |trial: &Trial| trial.origin.path.display().to_string();
    if group.iter().all(|trial| is_under_way(trial)) {
        let last = group.iter().filter_map(|trial| trial.last()).map(|e| e.epoch).min().unwrap_or(0);
        notes.push(format!("{variant} has not finished: drawn up to epoch {last}"));
        return;
    }
    let unfinished = group.iter().filter(|trial| is_under_way(trial));
    notes.extend(unfinished.map(|trial| format!("left out, not finished: {}", path(trial))));
    group.retain(|trial| !is_under_way(trial));
    // Foreign files claim to be whole, so a difference in length is an error there, raised elsewhere.
    let longest = group.iter().filter_map(|trial| trial.last()).map(|e| e.epoch).max();
    let is_short = |trial: &Trial| {
        trial.origin.kind == OriginKind::Run
            && trial.last().map(|e| e.epoch) < longest
            && trial.last().is_some()
    };
    for trial in group.iter().filter(|trial| is_short(trial)) {
        let epoch = trial.last().map_or(0, |e| e.epoch);
        notes.push(format!("left out, ended at epoch {epoch} before other seeds: {}", path(trial)));
    }
    group.retain(|trial| !is_short(trial));
    let mut seeds = Vec::new();
    group.retain(|trial| {
        let is_new = trial.seed.is_none() || !seeds.contains(&trial.seed);
        seeds.push(trial.seed);
        if !is_new {
            notes.push(format!("left out, a second run of its rule and seed: {}", path(trial)));
        }
        is_new
    });
}

fn is_under_way(trial: &Trial) -> bool {
    matches!(trial.status, Some(Status::Running | Status::Interrupted))
}
