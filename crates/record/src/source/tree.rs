//! The files of an export, put together from what the chosen runs contribute.

use super::choose::Candidate;
use super::piece::Content;
use super::place::Slot;
use super::{Gap, Origin, Penalised, Results, Snapshot, write};
use crate::Error;
use std::collections::BTreeMap;
use std::path::Path;

/// A file about to be written.
#[derive(Clone, Debug)]
enum Sheet {
    Results(Results),
    Snapshot(Snapshot),
    Penalised(Penalised),
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
            let key = place.slot.key();
            for (below, why) in piece.gaps {
                tree.gaps.push(Gap { file: place.file.clone(), key: format!("{key}/{below}"), why });
            }
            tree.origins.entry(place.file.clone()).or_default().insert(key, Origin::of(run));
            tree.put(place.file, place.slot, place.penalty, piece.content);
        }
        tree.note_absent();
        tree
    }

    fn put(&mut self, file: String, slot: Slot, penalty: f64, content: Content) {
        let sheet = self.sheets.entry(file);
        match (content, slot) {
            (Content::Method(method), Slot::Method { seed, name }) => {
                if let Sheet::Results(Results(seeds)) = sheet.or_insert(Sheet::Results(Results::default())) {
                    seeds.entry(seed).or_default().insert(name, *method);
                }
            }
            (Content::Snapshot(log), slot) => {
                if let Sheet::Snapshot(snapshot) = sheet.or_insert(Sheet::Snapshot(Snapshot::default())) {
                    match slot {
                        Slot::BpLog => snapshot.bp_log = Some(log),
                        Slot::DfaLog => snapshot.dfa_log = Some(log),
                        _ => snapshot.fa_log = Some(log),
                    }
                }
            }
            (Content::Penalised(log), _) => {
                sheet.or_insert(Sheet::Penalised(Penalised { lam: Some(penalty), log }));
            }
            (Content::Method(_), _) => unreachable!("a method's place is a method's slot"),
        }
    }

    /// Keys that the source has in such a file and that no run filled.
    fn note_absent(&mut self) {
        let mut absent = |file: &str, key: String, rule: &str| {
            let why = format!("no {rule} run for it was given");
            self.gaps.push(Gap { file: file.to_owned(), key, why });
        };
        for (file, sheet) in &self.sheets {
            match sheet {
                Sheet::Results(Results(seeds)) => {
                    for (seed, methods) in seeds {
                        for name in Results::METHODS.iter().filter(|name| !methods.contains_key(**name)) {
                            absent(file, format!("{seed}/{name}"), name);
                        }
                    }
                }
                Sheet::Snapshot(Snapshot { fa_log: None, bp_log, dfa_log, .. }) => {
                    if bp_log.is_none() {
                        absent(file, "bp_log".to_owned(), "bp");
                    }
                    if dfa_log.is_none() {
                        absent(file, "dfa_log".to_owned(), "dfa");
                    }
                }
                Sheet::Snapshot(_) | Sheet::Penalised(_) => {}
            }
        }
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
