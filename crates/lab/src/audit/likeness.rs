//! Which runs belong side by side, and which are seeds of one thing.

use crate::Error;
use audit::{difference, is_frozen};
use record::Run;

/// Where a run stands in tables: by rule as rules are listed, then by name and seed.
pub(super) fn place(run: &Run) -> (usize, bool, String, u64) {
    let (rule, _) = record::rules::place(&run.record.rule);
    (rule, is_frozen(run), base(run).to_owned(), run.record.provenance.seed)
}

/// A run's name without its seed.
fn base(run: &Run) -> &str {
    let id = &run.record.id;
    id.strip_suffix(&format!("-s{}", run.record.provenance.seed)).unwrap_or(id)
}

/// Refuses runs that differ in more than rule and seed: their numbers do not belong side by side.
pub(super) fn comparable(runs: &[Run]) -> Result<(), Error> {
    let Some((first, others)) = runs.split_first() else { return Ok(()) };
    let path = |run: &Run| run.path.display().to_string();
    for other in others {
        let free = |key: &str| key == "seed" || key == "name" || key.starts_with("rule.");
        if let Some((key, a, b)) = difference(first, other, free) {
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

/// The name that each run shares with those that differ from it in nothing but the seed: its own without the seed, with a
/// number behind it where recipes of one name differ. The same seed twice in one group would count twice, and is refused.
pub(super) fn group_names(runs: &[Run]) -> Result<Vec<String>, Error> {
    let mut groups: Vec<(String, Vec<&Run>)> = Vec::new();
    let mut names = Vec::new();
    for run in runs {
        let alike = |other: &Run| {
            base(other) == base(run)
                && other.record.provenance.data_hash == run.record.provenance.data_hash
                && difference(run, other, |key| key == "seed" || key == "name").is_none()
        };
        let index = groups.iter().position(|(_, members)| alike(members[0])).unwrap_or_else(|| {
            let namesakes = groups.iter().filter(|(_, members)| base(members[0]) == base(run)).count();
            let number = if namesakes == 0 { String::new() } else { format!(" ({})", namesakes + 1) };
            groups.push((format!("{}{number}", base(run)), Vec::new()));
            groups.len() - 1
        });
        let (name, members) = &mut groups[index];
        let seed = run.record.provenance.seed;
        if let Some(twin) = members.iter().find(|other| other.record.provenance.seed == seed) {
            return Err(Error::Twins { a: twin.path.clone(), b: run.path.clone() });
        }
        members.push(run);
        names.push(name.clone());
    }
    Ok(names)
}
