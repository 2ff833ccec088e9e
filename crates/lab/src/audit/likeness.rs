//! Which runs are comparable.

use crate::{Error, training_keys};
use protocol::baseline::is_frozen;
use protocol::{base_name, grouped, seed_groups};
use record::Run;
use std::collections::BTreeMap;
use std::path::Path;
use toml::Value;

/// Sort key of a run in tables: by the order of rules, then by name and seed.
pub(super) fn place(run: &Run) -> (usize, bool, String, u64) {
    let (rule, _) = record::rules::place(&run.record.rule);
    let seed = run.record.provenance.seed;
    (rule, is_frozen(&run.recipe), base_name(&run.record.id, seed).to_owned(), seed)
}

/// Runs trained and judged under equal conditions, and how they differ from the other runs.
pub(super) struct Alike {
    /// Indices of the runs, in order.
    pub(super) runs: Vec<usize>,
    /// Keys in which they differ from other groups, with their values; or their folder if the conditions are the same.
    pub(super) differs: Vec<(String, String)>,
}

/// Groups runs by their conditions: everything except rule, seed, name and what is measured during training. If a rule and seed
/// occur twice, these are two sweeps of one recipe, which are then split by folder.
pub(super) fn sweeps(runs: &[Run]) -> Vec<Alike> {
    let conditions: Vec<BTreeMap<String, Value>> = runs.iter().map(conditions).collect();
    let by_conditions = grouped(0..runs.len(), |&index| &conditions[index]);
    let mut sweeps = Vec::new();
    for (own, members) in &by_conditions {
        let others = by_conditions.iter().map(|(other, _)| *other);
        let differs = differences(own, others);
        let picked: Vec<&Run> = members.iter().map(|&index| &runs[index]).collect();
        if twins(&picked).is_none() {
            sweeps.push(Alike { runs: members.clone(), differs });
            continue;
        }
        let folder = |index: usize| runs[index].path.parent().unwrap_or(Path::new("."));
        for (folder, members) in grouped(members.iter().copied(), |&index| folder(index)) {
            let place = ("folder".to_owned(), folder.display().to_string());
            let differs = differs.iter().cloned().chain([place]).collect();
            sweeps.push(Alike { runs: members, differs });
        }
    }
    sweeps
}

/// The conditions under which a run was trained and judged; keys that its record lacks have their neutral value.
fn conditions(run: &Run) -> BTreeMap<String, Value> {
    let mut keys = run.recipe.clone();
    // An unknown rule must not prevent the comparison of the other keys.
    keys.retain(|key, _| !key.starts_with("rule."));
    training_keys(&mut keys);
    let judged = |key: &str| key.starts_with("eval.") || key.starts_with("protocol.");
    keys.extend(run.recipe.clone().into_iter().filter(|(key, _)| judged(key)));
    let varies = |key: &str| ["rule.", "audit."].iter().any(|section| key.starts_with(section));
    keys.retain(|key, _| key != "seed" && key != "name" && !varies(key));
    keys.insert(
        "data hash".to_owned(),
        run.record.provenance.data_hash.chars().take(12).collect::<String>().into(),
    );
    keys
}

/// The keys whose value differs from that of the others, with this run's value. Keys that only one network or data set has
/// follow from its name. A different data hash is listed only if no key differs.
fn differences<'a>(
    own: &BTreeMap<String, Value>,
    others: impl Iterator<Item = &'a BTreeMap<String, Value>> + Clone,
) -> Vec<(String, String)> {
    let mut differs: Vec<(String, String)> = own
        .iter()
        .filter(|(key, value)| {
            others.clone().filter_map(|other| other.get(*key)).any(|other| other != *value)
        })
        .map(|(key, value)| (key.clone(), value.to_string()))
        .collect();
    if differs.len() > 1 {
        differs.retain(|(key, _)| key != "data hash");
    }
    differs
}

/// Two runs of the same group with the same seed.
fn twins<'a>(runs: &[&'a Run]) -> Option<(&'a Run, &'a Run)> {
    let seed = |run: &Run| run.record.provenance.seed;
    seed_groups(runs.iter().copied()).into_iter().find_map(|group| {
        let mut known = group.runs.iter().enumerate();
        known.find_map(|(index, run)| {
            let twin = group.runs[..index].iter().find(|other| seed(other) == seed(run))?;
            Some((*twin, *run))
        })
    })
}

/// The name of each run's group. The same seed twice in one group would count twice, so it is an error.
pub(super) fn group_names(runs: &[&Run]) -> Result<Vec<String>, Error> {
    if let Some((a, b)) = twins(runs) {
        return Err(Error::Twins { a: a.path.clone(), b: b.path.clone() });
    }
    let groups = seed_groups(runs.iter().copied());
    let name = |run: &&Run| {
        let group = groups.iter().find(|group| group.runs.iter().any(|other| std::ptr::eq(*other, *run)));
        group.map(|group| group.name.clone()).unwrap_or_default()
    };
    Ok(runs.iter().map(name).collect())
}
