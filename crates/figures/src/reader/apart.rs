//! Telling trials apart that share rule, modifiers and seed: by what their recipes differ in, by the files they stand in,
//! and, where nothing tells them apart, by leaving out all but one.

use super::records::Entry;
use super::{Kind, Note, Setting, Trial, Variant};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Keys that a trial carries elsewhere, or that only steer how a run is cut up and what is measured on the way.
const CARRIED: [&str; 10] = [
    "name",
    "seed",
    "data.name",
    "net.name",
    "net.out_ln",
    "net.d",
    "net.blocks",
    "net.alpha",
    "train.epochs",
    "train.stop_after",
];
const MEASURED: [&str; 4] = ["rule.", "audit.", "eval.", "protocol."];
const MODIFIERS: [&str; 6] = [
    "rule.name",
    "rule.frozen",
    "rule.penalty",
    "rule.shallow",
    "rule.random_targets",
    "rule.trainable_last",
];

/// Makes setting, variant and seed name one trial each.
pub(super) fn tell_apart(mut entries: Vec<Entry>, notes: &mut Vec<Note>) -> Vec<Trial> {
    settings_by_recipe(&mut entries);
    variants_by_recipe(&mut entries);
    variants_by_name(&mut entries);
    let entries = one_of_each(entries, notes);
    let mut trials: Vec<Trial> = entries.into_iter().map(|entry| entry.trial).collect();
    settings_by_place(&mut trials);
    trials
}

/// The keys that count in which these runs differ.
fn differing(runs: &[&Entry], counts: impl Fn(&str) -> bool) -> Vec<String> {
    let keys: BTreeSet<&String> = runs.iter().flat_map(|run| run.recipe.keys()).collect();
    let differ = |key: &&String| runs.iter().any(|run| run.recipe.get(*key) != runs[0].recipe.get(*key));
    keys.into_iter().filter(|key| counts(key)).filter(differ).cloned().collect()
}

fn value(entry: &Entry, key: &str) -> String {
    entry.recipe.get(key).map_or_else(|| "unset".to_owned(), ToString::to_string)
}

/// Runs of one setting whose recipes or data differ are of different settings.
fn settings_by_recipe(entries: &mut [Entry]) {
    let mut groups: BTreeMap<Setting, Vec<usize>> = BTreeMap::new();
    let ours = |entry: &Entry| !matches!(entry.trial.origin.kind, Kind::File(_));
    for (i, entry) in entries.iter().enumerate().filter(|(_, entry)| ours(entry)) {
        groups.entry(entry.trial.setting.clone()).or_default().push(i);
    }
    for members in groups.into_values() {
        let all: Vec<&Entry> = members.iter().map(|&i| &entries[i]).collect();
        let runs: Vec<&Entry> = all.iter().copied().filter(|entry| !entry.recipe.is_empty()).collect();
        let counts =
            |key: &str| !CARRIED.contains(&key) && !MEASURED.iter().any(|section| key.starts_with(section));
        let keys = differing(&runs, counts);
        let hash = |entry: &Entry| entry.trial.origin.data_hash.clone();
        let hashes: BTreeSet<_> = all.iter().map(|entry| hash(entry)).collect();
        for i in members {
            let entry = &entries[i];
            let mut other: Vec<String> = Vec::new();
            if !entry.recipe.is_empty() {
                other.extend(keys.iter().map(|key| format!("{key} = {}", value(entry, key))));
            }
            if let Some(hash) = hash(entry).filter(|_| hashes.len() > 1) {
                other.push(format!("data {}", hash.chars().take(12).collect::<String>()));
            }
            entries[i].trial.setting.other = other;
        }
    }
}

/// Runs of one rule in one setting whose rule has different keys are different variants of the rule.
fn variants_by_recipe(entries: &mut [Entry]) {
    let mut groups: BTreeMap<(Setting, String), Vec<usize>> = BTreeMap::new();
    for (i, entry) in entries.iter().enumerate().filter(|(_, entry)| !entry.recipe.is_empty()) {
        groups.entry((entry.trial.setting.clone(), entry.trial.rule.clone())).or_default().push(i);
    }
    for members in groups.into_values() {
        let runs: Vec<&Entry> = members.iter().map(|&i| &entries[i]).collect();
        let keys = differing(&runs, |key| key.starts_with("rule.") && !MODIFIERS.contains(&key));
        // What most runs have is the rule as it is; only those that differ from it carry words.
        let usual: BTreeMap<String, Option<String>> = keys
            .iter()
            .map(|key| (key.clone(), most_common(runs.iter().map(|run| value(run, key)))))
            .collect();
        for i in members {
            let word = |key: &String| {
                let own = value(&entries[i], key);
                let name = key.strip_prefix("rule.").unwrap_or(key);
                (usual[key].as_ref() != Some(&own)).then(|| format!("{name} = {own}"))
            };
            let mut words: Vec<String> = keys.iter().filter_map(word).collect();
            if !entries[i].trial.modifiers.is_empty() {
                words.insert(0, entries[i].trial.modifiers.clone());
            }
            entries[i].trial.modifiers = words.join(", ");
        }
    }
}

/// Audits without their runs say nothing of what else a recipe sweeps; the names of their groups do.
fn variants_by_name(entries: &mut [Entry]) {
    let group = |trial: &Trial| trial.audit.as_ref().map(|audit| audit.subject.group().to_owned());
    let mut names: BTreeMap<(Setting, Variant), BTreeSet<Option<String>>> = BTreeMap::new();
    let alone = |trial: &Trial| trial.origin.kind == Kind::Audit && trial.seed.is_some();
    for trial in entries.iter().map(|entry| &entry.trial).filter(|trial| alone(trial)) {
        names.entry((trial.setting.clone(), trial.variant())).or_default().insert(group(trial));
    }
    for trial in entries.iter_mut().map(|entry| &mut entry.trial).filter(|trial| alone(trial)) {
        if names[&(trial.setting.clone(), trial.variant())].len() > 1 {
            let known = std::mem::take(&mut trial.modifiers);
            let words = [known, group(trial).unwrap_or_default()].into_iter().filter(|word| !word.is_empty());
            trial.modifiers = words.collect::<Vec<_>>().join(", ");
        }
    }
}

/// The value that occurs more often than any other; none where two do equally.
fn most_common(values: impl Iterator<Item = String>) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    let most = *counts.values().max()?;
    let mut winners = counts.into_iter().filter(|(_, count)| *count == most).map(|(value, _)| value);
    winners.next().filter(|_| winners.next().is_none())
}

type Name = (Setting, Variant, Option<u64>);

fn name(trial: &Trial) -> Name {
    (trial.setting.clone(), trial.variant(), trial.seed)
}

/// Of runs that nothing tells apart the one that came furthest stays; of copies of a file, the first.
fn one_of_each(mut entries: Vec<Entry>, notes: &mut Vec<Note>) -> Vec<Entry> {
    entries.sort_by_cached_key(|Entry { trial, .. }| {
        let complete = trial.is_complete() == Some(true);
        let epoch = trial.last().map(|epoch| epoch.epoch);
        let furthest = Reverse((complete, epoch, trial.audit.is_some()));
        (trial.origin.kind, furthest, trial.origin.path.clone(), trial.origin.key.clone())
    });
    let mut kept: Vec<Entry> = Vec::new();
    for entry in entries {
        let origin = &entry.trial.origin;
        let twin = kept.iter().find(|other| {
            let (a, b) = (&other.trial.origin, origin);
            match b.kind {
                Kind::Run => a.kind == Kind::Run && name(&other.trial) == name(&entry.trial),
                Kind::Audit => a.kind == Kind::Audit && other.trial.audit == entry.trial.audit,
                // Names belong to a file of others as much as its content does.
                Kind::File(_) => {
                    (a.kind, &a.file_hash, &a.key) == (b.kind, &b.file_hash, &b.key)
                        && name(&other.trial) == name(&entry.trial)
                }
            }
        });
        let Some(twin) = twin else {
            kept.push(entry);
            continue;
        };
        let stays = twin.trial.origin.path.display();
        let what = match differing(&[twin, &entry], |key| key != "name").as_slice() {
            [] => format!("left out, the same as {stays}"),
            keys => format!(
                "left out: the same rule, seed and setting as {stays}; they differ in {}",
                keys.join(", ")
            ),
        };
        notes.push(Note { path: origin.path.clone(), key: origin.key.clone(), what });
    }
    kept
}

/// Files that hold the same rule and seed are of different settings, which the files' names tell apart.
fn settings_by_place(trials: &mut [Trial]) {
    let label: [fn(&Trial) -> String; 3] = [
        |trial| match trial.origin.kind {
            Kind::File(holds) => holds.to_owned(),
            _ => String::new(),
        },
        |trial| {
            let tree = trial.origin.path.ancestors().nth(2).unwrap_or(&trial.origin.path);
            tree.display().to_string()
        },
        |trial| {
            let key = trial.origin.key.as_ref().map(|key| format!(", {key}"));
            format!("{}{}", trial.origin.path.display(), key.unwrap_or_default())
        },
    ];
    for label in label {
        let mut seen: BTreeSet<Name> = BTreeSet::new();
        let files = |trial: &&Trial| trial.origin.kind != Kind::Run;
        let twice = trials.iter().filter(files).filter(|trial| !seen.insert(name(trial)));
        let settings: BTreeSet<Setting> = twice.map(|trial| trial.setting.clone()).collect();
        for trial in trials.iter_mut().filter(|trial| trial.origin.kind != Kind::Run) {
            if settings.contains(&trial.setting) {
                let label = label(trial);
                if !label.is_empty() {
                    trial.setting.other.push(label);
                }
            }
        }
    }
}
