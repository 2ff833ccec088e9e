//! Reads everything that a user points at.

use super::apart::tell_apart;
use super::find::{Finder, RecordFile};
use super::{Layers, Note, OriginKind, OtherFile, OtherFiles, ReadError, Trial, audits, runs};
use protocol::baseline::{Fill, as_written};
use protocol::judge_again;
use record::audit::{Audit, AuditSet};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Everything that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// Trials by setting, rule, modifiers and seed.
    pub trials: Vec<Trial>,
    /// Trials of the linear-quadratic system, which classifies nothing: they have no accuracy, and only `architecture` shows them.
    pub systems: Vec<Trial>,
    /// What was skipped or read with a caveat, by path.
    pub notes: Vec<Note>,
    /// Rules that come first in legends, in this order.
    pub order: Vec<String>,
}

/// A trial with the completed recipe of its run; empty for audits and foreign files.
#[derive(Clone, Debug)]
pub(super) struct TrialAndRecipe {
    pub(super) trial: Trial,
    pub(super) recipe: BTreeMap<String, toml::Value>,
}

impl Records {
    /// Where a rule comes in legends and along axes; greater is later.
    pub fn place<'a>(&self, rule: &'a str) -> impl Ord + use<'a> {
        let wanted = self.order.iter().position(|known| known == rule);
        (wanted.unwrap_or(self.order.len()), record::rules::place(rule))
    }

    /// Reads run directories, folders of them at any depth, and audits, in any combination. Duplicates count once.
    ///
    /// ```no_run
    /// let records = figures::reader::Records::read(&["runs/main".into(), "audit.json".into()])?;
    /// for trial in &records.trials {
    ///     println!("{}: {}", trial.setting, trial.variant());
    /// }
    /// # Ok::<(), figures::reader::ReadError>(())
    /// ```
    pub fn read(paths: &[PathBuf]) -> Result<Self, ReadError> {
        Self::read_with(paths, &as_written, &OtherFiles::NONE)
    }

    /// Like [`Self::read`], with foreign files. `fill` supplies the values that held before a recipe key existed, so that
    /// runs from before and after it are of one setting, and a frozen baseline matches newer runs.
    pub fn read_with(paths: &[PathBuf], fill: Fill<'_>, others: &OtherFiles) -> Result<Self, ReadError> {
        let mut finder = Finder::new(others);
        paths.iter().try_for_each(|path| finder.look(path))?;
        let Finder { found, mut notes, .. } = finder;
        let mut entries: Vec<TrialAndRecipe> = Vec::new();
        let mut audited: Vec<Trial> = Vec::new();
        for (path, what) in found {
            match what {
                RecordFile::Run => entries.extend(runs::read(&path, fill, &mut notes)?),
                RecordFile::Audit => {
                    let audit = judge_again(Audit::read_file(&path)?, None);
                    audited.push(audits::trial_of_audit(&path, None, audit));
                }
                RecordFile::Audits => {
                    let set = AuditSet::read(&path)?.audits.into_iter().enumerate();
                    let trial = |(i, audit)| {
                        audits::trial_of_audit(&path, Some(format!("audits/{i}")), judge_again(audit, None))
                    };
                    audited.extend(set.map(trial));
                }
                RecordFile::Other(OtherFile::NoTrials(_)) => {}
                RecordFile::Other(OtherFile::Trials(read)) => {
                    let trials = read(&path, &mut notes)?.into_iter();
                    entries.extend(trials.map(|trial| TrialAndRecipe { trial, recipe: BTreeMap::new() }));
                }
            }
        }
        for trial in audited {
            join(trial, &mut entries);
        }
        let mut trials = tell_apart(entries, &mut notes);
        trials.sort_by_cached_key(|trial| {
            let origin = (trial.origin.path.clone(), trial.origin.key.clone());
            (trial.setting.clone(), trial.variant(), trial.seed, origin)
        });
        notes.sort();
        notes.dedup();
        let (systems, trials): (Vec<Trial>, Vec<Trial>) =
            trials.into_iter().partition(|trial| trial.setting.network == "lq");
        if trials.is_empty() && systems.is_empty() {
            return Err(ReadError::Nothing { paths: paths.to_vec(), notes, others: others.names });
        }
        Ok(Self { trials, systems, notes, order: Vec::new() })
    }
}

/// Attaches an audit to its run if that was read; else the audit is a trial of its own.
fn join(trial: Trial, entries: &mut Vec<TrialAndRecipe>) {
    let known = entries.iter_mut().map(|entry| &mut entry.trial).find(|known| {
        // Foreign files hold other numbers than an audit, even of the same run.
        !matches!(known.origin.kind, OriginKind::File(_))
            && known.origin.recipe_hash.is_some()
            && known.origin.recipe_hash == trial.origin.recipe_hash
            && known.origin.data_hash == trial.origin.data_hash
    });
    match known {
        None => entries.push(TrialAndRecipe { trial, recipe: BTreeMap::new() }),
        Some(known) if known.audit.is_none() => {
            known.audit = trial.audit;
            let layers = known.final_audit().map(Layers::of_audit).unwrap_or_default();
            known.final_layers = layers.or(&known.final_layers);
        }
        Some(_) => {}
    }
}
