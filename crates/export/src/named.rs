//! Names of runs among others, and the groups whose runs differ in their seed alone.

use protocol::{grouped, seed_groups};
use record::{Run, RunRecord};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A run under a name of its own among those that are exported together.
#[derive(Clone, Debug)]
pub struct Named<'a> {
    /// `dfa-s42`; with its folders, `audit/dfa-s42`, where several runs have one id.
    pub name: String,
    /// What it shares with other seeds: `dfa`.
    pub group: String,
    /// The run.
    pub run: &'a Run,
}

impl Named<'_> {
    /// What makes two runs one, wherever they lie: training and data. What a tracker has under this key is this run.
    pub fn key(&self) -> String {
        let from = &self.run.record.provenance;
        let key = format!("{} {}", training(&self.run.record), from.data_hash);
        // It goes into quotes of filters, and a stranger may have written it.
        key.chars().map(|c| if c.is_ascii_alphanumeric() || " :".contains(c) { c } else { '_' }).collect()
    }
}

/// The identity of a run's training; of old records, the hash of the recipe.
pub(crate) fn training(record: &RunRecord) -> &str {
    let from = &record.provenance;
    from.identity.as_ref().unwrap_or(&from.recipe_hash)
}

/// Names for all runs, in their order.
pub fn named(runs: &[Run]) -> Vec<Named<'_>> {
    let ids: BTreeSet<&str> = runs.iter().map(|run| run.record.id.as_str()).collect();
    let unique = ids.len() == runs.len();
    let common = common_folder(runs);
    // Seeds of one thing lie in one folder, unless names tell them apart anyway.
    let folder = |run: &Run| if unique { String::new() } else { below(run.path.parent(), &common) };
    let mut groups = Vec::new();
    for (folder, runs) in grouped(runs, |run| folder(run)) {
        groups.extend(seed_groups(runs).into_iter().map(|group| (inside(&folder, &group.name), group.runs)));
    }
    let group = |run: &Run| {
        let is_in = |(_, runs): &&(String, Vec<&Run>)| runs.iter().any(|other| std::ptr::eq(*other, run));
        groups.iter().find(is_in).map(|(name, _)| name.clone()).unwrap_or_default()
    };
    let name = |run: &Run| if unique { run.record.id.clone() } else { below(Some(&run.path), &common) };
    runs.iter().map(|run| Named { name: name(run), group: group(run), run }).collect()
}

/// The groups of these runs with their members, in the order in which they first occur.
pub(crate) fn groups<'a, 'b>(runs: &'b [Named<'a>]) -> Vec<(&'b str, Vec<&'b Named<'a>>)> {
    grouped(runs, |named| named.group.as_str())
}

fn common_folder(runs: &[Run]) -> PathBuf {
    let mut folders = runs.iter().filter_map(|run| run.path.parent());
    let Some(first) = folders.next() else { return PathBuf::new() };
    let shared = |a: PathBuf, b: &Path| {
        a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
    };
    folders.fold(first.to_owned(), shared)
}

/// The part of a path below a folder.
fn below(path: Option<&Path>, folder: &Path) -> String {
    let path = path.unwrap_or(Path::new(""));
    path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned()
}

fn inside(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
