//! Which runs belong side by side.

use crate::Error;
use protocol::baseline::is_frozen;
use protocol::{base_name, seed_groups};
use record::Run;

/// Where a run stands in tables: by rule as rules are listed, then by name and seed.
pub(super) fn place(run: &Run) -> (usize, bool, String, u64) {
    let (rule, _) = record::rules::place(&run.record.rule);
    let seed = run.record.provenance.seed;
    (rule, is_frozen(&run.recipe), base_name(&run.record.id, seed).to_owned(), seed)
}

/// Refuses runs that differ in more than rule and seed: their numbers do not belong side by side.
pub(super) fn comparable(runs: &[Run]) -> Result<(), Error> {
    let Some((first, others)) = runs.split_first() else { return Ok(()) };
    let path = |run: &Run| run.path.display().to_string();
    for other in others {
        if let Some((key, a, b)) = difference(first, other) {
            return Err(Error::Mixed { key, a: (path(first), a), b: (path(other), b) });
        }
        let hash = |run: &Run| run.record.provenance.data_hash.clone();
        if hash(first) != hash(other) {
            let short = |run: &Run| (path(run), hash(run).chars().take(12).collect());
            return Err(Error::Mixed { key: "the data hash".to_owned(), a: short(first), b: short(other) });
        }
    }
    Ok(())
}

/// A key, with both values, in which two runs differ beside rule, seed, name and what is measured on the way.
fn difference(a: &Run, b: &Run) -> Option<(String, String, String)> {
    let show = |value: Option<&toml::Value>| value.map_or_else(|| "nothing".to_owned(), ToString::to_string);
    let is_free =
        |key: &str| key == "seed" || key == "name" || key.starts_with("rule.") || key.starts_with("audit.");
    let mut keys = a.recipe.keys().chain(b.recipe.keys()).filter(|key| !is_free(key));
    let key = keys.find(|key| a.key(key) != b.key(key))?;
    Some((key.clone(), show(a.key(key)), show(b.key(key))))
}

/// The name of the group that each run belongs to. The same seed twice in one group would count twice, and is refused.
pub(super) fn group_names(runs: &[Run]) -> Result<Vec<String>, Error> {
    let groups = seed_groups(runs);
    for group in &groups {
        let mut known: Vec<&Run> = Vec::new();
        for run in &group.runs {
            let seed = |run: &Run| run.record.provenance.seed;
            if let Some(twin) = known.iter().find(|other| seed(other) == seed(run)) {
                return Err(Error::Twins { a: twin.path.clone(), b: run.path.clone() });
            }
            known.push(run);
        }
    }
    let name = |run: &Run| {
        let group = groups.iter().find(|group| group.runs.iter().any(|other| std::ptr::eq(*other, run)));
        group.map(|group| group.name.clone()).unwrap_or_default()
    };
    Ok(runs.iter().map(name).collect())
}
