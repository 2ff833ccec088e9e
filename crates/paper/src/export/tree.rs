//! The files of an export, assembled from the contributions of the chosen runs.

use super::choose::Candidate;
use super::{Gap, Origin};
use crate::files::{Penalised, Results, Snapshot, write};
use record::Error;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

/// A file about to be written, or what one run contributes to it.
#[derive(Clone, Debug)]
pub(super) enum FileContent {
    Results(Results),
    Snapshot(Snapshot),
    Penalised(Penalised),
}

impl FileContent {
    fn add(&mut self, other: Self) {
        match (self, other) {
            (Self::Results(Results(all)), Self::Results(Results(more))) => {
                more.into_iter().for_each(|(seed, methods)| all.entry(seed).or_default().extend(methods));
            }
            (Self::Snapshot(all), Self::Snapshot(more)) => {
                all.bp_log = all.bp_log.take().or(more.bp_log);
                all.dfa_log = all.dfa_log.take().or(more.dfa_log);
            }
            // Any other file is filled by a single run.
            _ => {}
        }
    }

    /// Keys that the paper's version of the file has and no run filled, with their rules.
    fn absent(&self) -> Vec<(String, &'static str)> {
        match self {
            Self::Results(Results(seeds)) => {
                let missing_methods = |(seed, methods): (&String, &BTreeMap<String, _>)| {
                    let absent = Results::METHODS.into_iter().filter(|name| !methods.contains_key(*name));
                    absent.map(|name| (format!("{seed}/{name}"), name)).collect::<Vec<_>>()
                };
                seeds.iter().flat_map(missing_methods).collect()
            }
            Self::Snapshot(Snapshot { fa_log: None, bp_log, dfa_log, .. }) => {
                let logs = [("bp", bp_log), ("dfa", dfa_log)].into_iter().filter(|(_, log)| log.is_none());
                logs.map(|(rule, _)| (format!("{rule}_log"), rule)).collect()
            }
            Self::Snapshot(_) | Self::Penalised(_) => Vec::new(),
        }
    }
}

/// The files by path below the export's folder, with the run behind each key and the missing keys.
#[derive(Debug, Default)]
pub(super) struct Tree {
    files: BTreeMap<String, FileContent>,
    pub(super) origins: BTreeMap<String, BTreeMap<String, Origin>>,
    pub(super) gaps: Vec<Gap>,
}

impl Tree {
    pub(super) fn build(chosen: Vec<Candidate<'_>>) -> Self {
        let mut tree = Self::default();
        for Candidate { run, slot, contribution, .. } in chosen {
            for (below, why) in contribution.gaps {
                let key = format!("{}/{below}", slot.key);
                tree.gaps.push(Gap { file: slot.file.clone(), key, why });
            }
            tree.origins.entry(slot.file.clone()).or_default().insert(slot.key, Origin::of(run));
            match tree.files.entry(slot.file) {
                Entry::Vacant(free) => {
                    free.insert(contribution.content);
                }
                Entry::Occupied(mut file) => file.get_mut().add(contribution.content),
            }
        }
        for (file, content) in &tree.files {
            let gap = |(key, rule): (String, &str)| Gap {
                file: file.clone(),
                key,
                why: format!("no {rule} run for it was given"),
            };
            tree.gaps.extend(content.absent().into_iter().map(gap));
        }
        tree
    }

    /// Paths of all files, below the export's folder.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub(super) fn write(&self, out: &Path) -> Result<(), Error> {
        for (file, content) in &self.files {
            let path = out.join(file);
            if let Some(folder) = path.parent() {
                record::durable::create_folders(folder)?;
            }
            match content {
                FileContent::Results(content) => write(&path, content)?,
                FileContent::Snapshot(content) => write(&path, content)?,
                FileContent::Penalised(content) => write(&path, content)?,
            }
        }
        Ok(())
    }
}
