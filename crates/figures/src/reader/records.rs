//! Reading whatever a user points at.

use super::apart::tell_apart;
use super::find::{Finds, What};
use super::{Kind, Layers, Note, OtherFile, OtherFiles, ReadError, Trial, audits, runs};
use protocol::baseline::{Fill, as_written};
use record::audit::{Audit, AuditSet};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Everything that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// Trials by setting, rule, modifiers and seed.
    pub trials: Vec<Trial>,
    /// What was passed over, or read with a reservation, by path.
    pub notes: Vec<Note>,
}

/// A trial with the recipe of its run; the recipe is empty for anything else.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) trial: Trial,
    pub(super) recipe: BTreeMap<String, toml::Value>,
}

impl Records {
    /// Reads run directories, folders of them at any depth, and audits, in any mixture. The same thing found twice counts
    /// once.
    ///
    /// ```no_run
    /// let records = figures::reader::Records::read(&["runs/main".into(), "audit.json".into()])?;
    /// for group in records.groups() {
    ///     println!("{}: {}, {} seeds", group.setting, group.variant, group.trials.len());
    /// }
    /// # Ok::<(), figures::reader::ReadError>(())
    /// ```
    pub fn read(paths: &[PathBuf]) -> Result<Self, ReadError> {
        Self::read_with(paths, &as_written, &OtherFiles::NONE)
    }

    /// The same, with files of others, and with the values that held before a key existed filled in by somebody who knows the
    /// keys: by them a frozen baseline is matched with runs that are younger than it.
    pub fn read_with(paths: &[PathBuf], fill: Fill<'_>, others: &OtherFiles) -> Result<Self, ReadError> {
        let mut finds = Finds::new(others);
        paths.iter().try_for_each(|path| finds.look(path))?;
        let Finds { found, mut notes, .. } = finds;
        let mut entries: Vec<Entry> = Vec::new();
        let mut audited: Vec<Trial> = Vec::new();
        for (path, what) in found {
            match what {
                What::Run => entries.extend(runs::read(&path, fill, &mut notes)?),
                What::Audit => audited.push(audits::trial(&path, None, Audit::read_file(&path)?)),
                What::Audits => {
                    let set = AuditSet::read(&path)?.audits.into_iter().enumerate();
                    let trial = |(i, audit)| audits::trial(&path, Some(format!("audits/{i}")), audit);
                    audited.extend(set.map(trial));
                }
                What::Other(OtherFile::NoTrials(_)) => {}
                What::Other(OtherFile::Trials(read)) => {
                    let trials = read(&path, &mut notes)?.into_iter();
                    entries.extend(trials.map(|trial| Entry { trial, recipe: BTreeMap::new() }));
                }
            }
        }
        for trial in audited {
            join(trial, &mut entries);
        }
        let mut trials = tell_apart(entries, &mut notes);
        let place = |trial: &Trial| {
            let origin = (trial.origin.path.clone(), trial.origin.key.clone());
            (trial.setting.clone(), trial.variant(), trial.seed, origin)
        };
        trials.sort_by_cached_key(place);
        notes.sort();
        notes.dedup();
        if trials.is_empty() {
            return Err(ReadError::Nothing { paths: paths.to_vec(), notes, others: others.names });
        }
        Ok(Self { trials, notes })
    }
}

/// An audit of something that is already there belongs to it; another is a trial of its own.
fn join(trial: Trial, entries: &mut Vec<Entry>) {
    let known = entries.iter_mut().map(|entry| &mut entry.trial).find(|known| {
        let (a, b) = (&known.origin, &trial.origin);
        // Files of others hold other numbers than an audit, even of the same run.
        !matches!(a.kind, Kind::File(_))
            && a.recipe_hash.is_some()
            && (&a.recipe_hash, &a.data_hash) == (&b.recipe_hash, &b.data_hash)
    });
    match known {
        None => entries.push(Entry { trial, recipe: BTreeMap::new() }),
        Some(known) if known.audit.is_none() => {
            known.audit = trial.audit;
            let layers = known.final_audit().map(Layers::of_audit).unwrap_or_default();
            known.final_layers = layers.or(&known.final_layers);
        }
        Some(_) => {}
    }
}
