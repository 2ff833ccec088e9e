//! Which trials a figure shows. Trials are drawn together only where nothing that is known about their circumstances
//! differs; a figure shows one such setting and says which others it left out.

use crate::reader::{Kind, Records, Setting, Trial, Variant};
use record::Status;
use std::collections::BTreeMap;

/// Trials of one setting, by rule and modifiers, each list in the order of its seeds.
#[derive(Clone, Debug)]
pub struct Chosen<'a> {
    /// The setting, as far as it is known.
    pub setting: Setting,
    /// Trials.
    pub groups: BTreeMap<Variant, Vec<&'a Trial>>,
    /// What was left out, a sentence each.
    pub notes: Vec<String>,
}

impl<'a> Chosen<'a> {
    /// No trial at all.
    pub fn empty() -> Self {
        Self { setting: Setting::default(), groups: BTreeMap::new(), notes: Vec::new() }
    }

    /// All its trials.
    pub fn trials(&self) -> impl Iterator<Item = &'a Trial> {
        self.groups.values().flatten().copied()
    }

    /// Groups that are neither frozen nor changed otherwise.
    pub fn plain(&self) -> impl Iterator<Item = (&Variant, &[&'a Trial])> {
        self.groups.iter().filter(|(variant, _)| variant.is_plain()).map(|(v, t)| (v, t.as_slice()))
    }

    /// The trials of a variant; none where there are none.
    pub fn of(&self, variant: &Variant) -> &[&'a Trial] {
        self.groups.get(variant).map_or(&[], Vec::as_slice)
    }

    /// Seeds, as words: `seed 42`, `3 seeds`, `1 to 3 seeds a rule`.
    pub fn seeds(&self) -> String {
        let mut seeds: Vec<u64> = self.trials().filter_map(|trial| trial.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        let counts = || self.groups.values().map(Vec::len);
        let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
        match seeds.as_slice() {
            [] => String::new(),
            [seed] => format!("seed {seed}"),
            _ if least < most => format!("{least} to {most} seeds a rule"),
            many => format!("{} seeds", many.len()),
        }
    }
}

/// The setting that most of the records belong to, among those of the trials that `wanted` takes, so that figures of one
/// folder show one setting; among equals the first.
pub fn choose<'a>(records: &'a Records, wanted: impl Fn(&Trial) -> bool) -> Option<Chosen<'a>> {
    let trials: Vec<&Trial> = records.trials.iter().filter(|trial| wanted(trial)).collect();
    let mut settings: Vec<&Setting> = trials.iter().map(|trial| &trial.setting).collect();
    settings.sort();
    settings.dedup();
    let everything: Vec<&Trial> = records.trials.iter().collect();
    let weight =
        |setting: &Setting| (together(setting, &everything).1.len(), together(setting, &trials).1.len());
    // Of equals the last one wins `max_by_key`, so the list is walked backwards.
    let best = settings.iter().rev().max_by_key(|setting| weight(setting)).copied()?;
    let (setting, members) = together(best, &trials);
    let mut groups: BTreeMap<Variant, Vec<&Trial>> = BTreeMap::new();
    for trial in members {
        groups.entry(trial.variant()).or_default().push(trial);
    }
    let mut notes = Vec::new();
    for (variant, group) in &mut groups {
        group.sort_by_key(|trial| trial.seed);
        keep_the_ended(variant, group, &mut notes);
    }
    let others: Vec<String> =
        settings.iter().filter(|other| !other.agrees(&setting)).map(ToString::to_string).collect();
    match others.as_slice() {
        [] => {}
        [other] => notes.push(format!("left out, as it is another setting: {other}")),
        many => {
            notes.push(format!("left out, as they are other settings: {}", many.join("; ")));
        }
    }
    Some(Chosen { setting, groups, notes })
}

/// The trials that can be drawn together, from those that know most, and all that they know of their setting. A file that
/// leaves out a size agrees with every size, but two sizes that agree with it do not agree with each other.
fn together<'a>(start: &Setting, trials: &[&'a Trial]) -> (Setting, Vec<&'a Trial>) {
    let known = |s: &Setting| {
        [s.d.is_some(), s.blocks.is_some(), s.epochs.is_some(), s.out_ln.is_some()]
            .iter()
            .filter(|k| **k)
            .count()
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

/// Leaves out of a rule's seeds those that are no value of the end: under way, or ended before the others. They would cut
/// curves short and be averaged with what they do not compare to. Where all are under way they are shown, and said to be.
fn keep_the_ended(variant: &Variant, group: &mut Vec<&Trial>, notes: &mut Vec<String>) {
    let place = |trial: &Trial| trial.origin.path.display().to_string();
    if group.iter().all(|trial| is_under_way(trial)) {
        let last = group.iter().filter_map(|trial| trial.last()).map(|e| e.epoch).min().unwrap_or(0);
        notes.push(format!("{variant} has not finished: drawn as it is after epoch {last}"));
        return;
    }
    notes.extend(
        group
            .iter()
            .filter(|t| is_under_way(t))
            .map(|t| format!("left out, as it has not finished: {}", place(t))),
    );
    group.retain(|trial| !is_under_way(trial));
    // Files of others claim to be whole; that their lengths differ is an error, and said as such.
    let longest = group.iter().filter_map(|trial| trial.last()).map(|e| e.epoch).max();
    let is_short = |trial: &Trial| {
        trial.origin.kind == Kind::Run && trial.last().map(|e| e.epoch) < longest && trial.last().is_some()
    };
    for trial in group.iter().filter(|trial| is_short(trial)) {
        let epoch = trial.last().map_or(0, |e| e.epoch);
        notes.push(format!("left out, as it ended at epoch {epoch} before other seeds: {}", place(trial)));
    }
    group.retain(|trial| !is_short(trial));
    let mut seeds = Vec::new();
    group.retain(|trial| {
        let is_new = trial.seed.is_none() || !seeds.contains(&trial.seed);
        seeds.push(trial.seed);
        if !is_new {
            notes.push(format!("left out, as its rule and seed are there already: {}", place(trial)));
        }
        is_new
    });
}

fn is_under_way(trial: &Trial) -> bool {
    matches!(trial.status, Some(Status::Running | Status::Interrupted))
}
