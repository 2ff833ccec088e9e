//! The files of an export, put together from what the chosen runs contribute.

use super::choose::Candidate;
use super::{Gap, Origin};
use crate::files::{Penalised, Results, Snapshot, write};
use record::Error;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

/// A file about to be written, or what one run contributes to it.
#[derive(Clone, Debug)]
pub(super) enum Sheet {
    Results(Results),
    Snapshot(Snapshot),
    Penalised(Penalised),
}

impl Sheet {
    fn add(&mut self, other: Self) {
        match (self, other) {
            (Self::Results(Results(all)), Self::Results(Results(more))) => {
                more.into_iter().for_each(|(seed, methods)| all.entry(seed).or_default().extend(methods));
            }
            (Self::Snapshot(all), Self::Snapshot(more)) => {
                all.bp_log = all.bp_log.take().or(more.bp_log);
                all.dfa_log = all.dfa_log.take().or(more.dfa_log);
            }
            // Of any other file one run fills the whole.
            _ => {}
        }
    }

    /// Keys that the paper has in such a file and that no run filled, with their rules.
    fn absent(&self) -> Vec<(String, &'static str)> {
        match self {
            Self::Results(Results(seeds)) => {
                let of = |(seed, methods): (&String, &BTreeMap<String, _>)| {
                    let absent = Results::METHODS.into_iter().filter(|name| !methods.contains_key(*name));
                    absent.map(|name| (format!("{seed}/{name}"), name)).collect::<Vec<_>>()
                };
                seeds.iter().flat_map(of).collect()
            }
            Self::Snapshot(Snapshot { fa_log: None, bp_log, dfa_log, .. }) => {
                let logs = [("bp", bp_log), ("dfa", dfa_log)].into_iter().filter(|(_, log)| log.is_none());
                logs.map(|(rule, _)| (format!("{rule}_log"), rule)).collect()
            }
            Self::Snapshot(_) | Self::Penalised(_) => Vec::new(),
        }
    }
}

/// The files by path below the export's folder, with the run behind each key and the keys that are not there.
#[derive(Debug, Default)]
pub(super) struct Tree {
    sheets: BTreeMap<String, Sheet>,
    pub(super) origins: BTreeMap<String, BTreeMap<String, Origin>>,
    pub(super) gaps: Vec<Gap>,
}

impl Tree {
    pub(super) fn build(chosen: Vec<Candidate<'_>>) -> Self {
        let mut tree = Self::default();
        for Candidate { run, place, piece, .. } in chosen {
            for (below, why) in piece.gaps {
                let key = format!("{}/{below}", place.key);
                tree.gaps.push(Gap { file: place.file.clone(), key, why });
            }
            tree.origins.entry(place.file.clone()).or_default().insert(place.key, Origin::of(run));
            match tree.sheets.entry(place.file) {
                Entry::Vacant(free) => {
                    free.insert(piece.content);
                }
                Entry::Occupied(mut sheet) => sheet.get_mut().add(piece.content),
            }
        }
        for (file, sheet) in &tree.sheets {
            let gap = |(key, rule): (String, &str)| Gap {
                file: file.clone(),
                key,
                why: format!("no {rule} run for it was given"),
            };
            tree.gaps.extend(sheet.absent().into_iter().map(gap));
        }
        tree
    }

    /// The paths that [`Self::write`] will write, below `out`.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.sheets.keys().map(String::as_str)
    }

    pub(super) fn write(&self, out: &Path) -> Result<(), Error> {
        for (file, sheet) in &self.sheets {
            let path = out.join(file);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(|source| Error::io("create", folder, source))?;
            }
            match sheet {
                Sheet::Results(content) => write(&path, content)?,
                Sheet::Snapshot(content) => write(&path, content)?,
                Sheet::Penalised(content) => write(&path, content)?,
            }
        }
        Ok(())
    }
}
