//! Distinguishes trials that share rule, modifiers and seed: by how their recipes differ, else by their files; of trials
//! that nothing distinguishes, all but one are left out.

use super::records::TrialAndRecipe;
use super::{Note, Origin, OriginKind, Setting, Trial, Variant, setting};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Recipe keys that a [`Setting`] already holds or that do not affect it.
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
/// Sections that are part of a rule, or only say what is measured.
const NO_SETTING: [&str; 4] = ["rule.", "audit.", "eval.", "protocol."];
const MODIFIERS: [&str; 6] = [
    "rule.name",
    "rule.frozen",
    "rule.penalty",
    "rule.shallow",
    "rule.random_targets",
    "rule.trainable_last",
];

/// Makes setting, variant and seed identify a trial.
pub(super) fn tell_apart(mut entries: Vec<TrialAndRecipe>, notes: &mut Vec<Note>) -> Vec<Trial> {
    settings_by_recipe(&mut entries);
    variants_by_recipe(&mut entries);
    variants_by_name(&mut entries);
    let entries = one_of_each(entries, notes);
    let mut trials: Vec<Trial> = entries.into_iter().map(|entry| entry.trial).collect();
    settings_by_file(&mut trials);
    trials
}

/// The recipe keys in which these runs differ, among those that `counts` accepts.
fn differing(runs: &[&TrialAndRecipe], counts: impl Fn(&str) -> bool) -> Vec<String> {
    let keys: BTreeSet<&String> = runs.iter().flat_map(|run| run.recipe.keys()).collect();
    let differ = |key: &&String| runs.iter().any(|run| run.recipe.get(*key) != runs[0].recipe.get(*key));
    keys.into_iter().filter(|key| counts(key)).filter(differ).cloned().collect()
}

fn value(entry: &TrialAndRecipe, key: &str) -> String {
    entry.recipe.get(key).map_or_else(|| "unset".to_owned(), ToString::to_string)
}

/// Runs whose recipes or data differ get different settings.
fn settings_by_recipe(entries: &mut [TrialAndRecipe]) {
    let mut groups: BTreeMap<Setting, Vec<usize>> = BTreeMap::new();
    let is_ours = |entry: &TrialAndRecipe| !matches!(entry.trial.origin.kind, OriginKind::File(_));
    for (i, entry) in entries.iter().enumerate().filter(|(_, entry)| is_ours(entry)) {
        groups.entry(entry.trial.setting.clone()).or_default().push(i);
    }
    for members in groups.into_values() {
        let all: Vec<&TrialAndRecipe> = members.iter().map(|&i| &entries[i]).collect();
        let runs: Vec<&TrialAndRecipe> =
            all.iter().copied().filter(|entry| !entry.recipe.is_empty()).collect();
        let counts =
            |key: &str| !CARRIED.contains(&key) && !NO_SETTING.iter().any(|section| key.starts_with(section));
        let keys = differing(&runs, counts);
        let hash = |entry: &TrialAndRecipe| entry.trial.origin.data_hash.clone();
        let hashes: BTreeSet<_> = all.iter().map(|entry| hash(entry)).collect();
        for i in members {
            let entry = &entries[i];
            let mut other: Vec<String> = Vec::new();
            if !entry.recipe.is_empty() {
                other.extend(keys.iter().map(|key| setting::of_key(key, &value(entry, key))));
            }
            if let Some(hash) = hash(entry).filter(|_| hashes.len() > 1) {
                other.push(format!("data {}", hash.chars().take(12).collect::<String>()));
            }
            entries[i].trial.setting.other = other;
        }
    }
}

/// Runs of one rule and setting whose `rule.` keys differ are different variants.
fn variants_by_recipe(entries: &mut [TrialAndRecipe]) {
    let mut groups: BTreeMap<(Setting, String), Vec<usize>> = BTreeMap::new();
    for (i, entry) in entries.iter().enumerate().filter(|(_, entry)| !entry.recipe.is_empty()) {
        groups.entry((entry.trial.setting.clone(), entry.trial.rule.clone())).or_default().push(i);
    }
    for members in groups.into_values() {
        let runs: Vec<&TrialAndRecipe> = members.iter().map(|&i| &entries[i]).collect();
        let keys = differing(&runs, |key| key.starts_with("rule.") && !MODIFIERS.contains(&key));
        // The most common value is the plain rule; only other values are named.
        let usual: BTreeMap<String, Option<String>> = keys
            .iter()
            .map(|key| (key.clone(), most_common(runs.iter().map(|run| value(run, key)))))
            .collect();
        for i in members {
            let word = |key: &String| {
                let value = value(&entries[i], key);
                let name = key.strip_prefix("rule.").unwrap_or(key);
                (usual[key].as_ref() != Some(&value)).then(|| format!("{name} = {value}"))
            };
            let mut words: Vec<String> = keys.iter().filter_map(word).collect();
            if !entries[i].trial.modifiers.is_empty() {
                words.insert(0, entries[i].trial.modifiers.clone());
            }
            entries[i].trial.modifiers = words.join(", ");
        }
    }
}

/// Audits without their runs do not say what a recipe sweeps, but their group names do.
fn variants_by_name(entries: &mut [TrialAndRecipe]) {
    let group = |trial: &Trial| trial.audit.as_ref().map(|audit| audit.subject.group().to_owned());
    let mut names: BTreeMap<(Setting, Variant), BTreeSet<Option<String>>> = BTreeMap::new();
    let is_alone = |trial: &Trial| trial.origin.kind == OriginKind::Audit && trial.seed.is_some();
    for trial in entries.iter().map(|entry| &entry.trial).filter(|trial| is_alone(trial)) {
        names.entry((trial.setting.clone(), trial.variant())).or_default().insert(group(trial));
    }
    for trial in entries.iter_mut().map(|entry| &mut entry.trial).filter(|trial| is_alone(trial)) {
        if names[&(trial.setting.clone(), trial.variant())].len() > 1 {
            let known = std::mem::take(&mut trial.modifiers);
            let words = [known, group(trial).unwrap_or_default()].into_iter().filter(|word| !word.is_empty());
            trial.modifiers = words.collect::<Vec<_>>().join(", ");
        }
    }
}

/// The most frequent value; `None` on a tie.
fn most_common(values: impl Iterator<Item = String>) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    let most = *counts.values().max()?;
    let mut winners = counts.into_iter().filter(|(_, count)| *count == most).map(|(value, _)| value);
    winners.next().filter(|_| winners.next().is_none())
}

type TrialName = (Setting, Variant, Option<u64>);

fn name(trial: &Trial) -> TrialName {
    (trial.setting.clone(), trial.variant(), trial.seed)
}

/// Of indistinguishable runs, keeps the one that got furthest; of copies of a file, the first.
fn one_of_each(mut entries: Vec<TrialAndRecipe>, notes: &mut Vec<Note>) -> Vec<TrialAndRecipe> {
    entries.sort_by_cached_key(|TrialAndRecipe { trial, .. }| {
        let complete = trial.is_complete() == Some(true);
        let epoch = trial.last().map(|epoch| epoch.epoch);
        let furthest = Reverse((complete, epoch, trial.audit.is_some()));
        (trial.origin.kind, furthest, trial.origin.path.clone(), trial.origin.key.clone())
    });
    let mut kept: Vec<TrialAndRecipe> = Vec::new();
    for entry in entries {
        let origin = &entry.trial.origin;
        let twin = kept.iter().find(|other| {
            let known = &other.trial.origin;
            let same_name = || name(&other.trial) == name(&entry.trial);
            match origin.kind {
                OriginKind::Run => known.kind == OriginKind::Run && same_name(),
                OriginKind::Audit => {
                    known.kind == OriginKind::Audit && other.trial.audit == entry.trial.audit
                }
                // The name of a foreign file is information, like its content.
                OriginKind::File(_) => {
                    let content = |o: &Origin| (o.kind, o.file_hash.clone(), o.key.clone());
                    content(known) == content(origin) && same_name()
                }
            }
        });
        let Some(twin) = twin else {
            kept.push(entry);
            continue;
        };
        let kept_path = twin.trial.origin.path.display();
        let what = match differing(&[twin, &entry], |key| key != "name").as_slice() {
            [] => format!("left out, the same as {kept_path}"),
            keys => {
                let keys = keys.join(", ");
                format!("left out: the same rule, seed and setting as {kept_path}; they differ in {keys}")
            }
        };
        notes.push(Note { path: origin.path.clone(), key: origin.key.clone(), what });
    }
    kept
}

/// Files with the same rule and seed get different settings, named by what the files hold, their folders or their paths.
fn settings_by_file(trials: &mut [Trial]) {
    let labels: [fn(&Trial) -> String; 3] = [
        |trial| match trial.origin.kind {
            OriginKind::File(holds) => holds.to_owned(),
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
    for label in labels {
        let mut seen: BTreeSet<TrialName> = BTreeSet::new();
        let files = trials.iter().filter(|trial| trial.origin.kind != OriginKind::Run);
        let repeated = files.filter(|trial| !seen.insert(name(trial)));
        let settings: BTreeSet<Setting> = repeated.map(|trial| trial.setting.clone()).collect();
        for trial in trials.iter_mut().filter(|trial| trial.origin.kind != OriginKind::Run) {
            let label = Some(label(trial)).filter(|label| !label.is_empty());
            if settings.contains(&trial.setting) {
                trial.setting.other.extend(label);
            }
        }
    }
}
