//! The content of an existing run directory, and whether it is the requested run.

use crate::recipe::{Identity, Incomparable, hex};
use crate::train::halts_on;
use crate::{Error, RunSpec};
use record::{Run, RunRecord, Status, bounded, epochs_asked, escape, flatten, last_epoch};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use toml::Value;

/// What exists at the place of a run.
pub(crate) enum Found {
    /// Nothing, or a directory without any training.
    Nothing,
    /// A run that can continue: it was interrupted, killed, or is shorter than the requested one.
    Unfinished(Box<RunRecord>),
    /// A run that has everything requested, or cannot continue.
    Over(Status),
}

/// A resolved recipe on disk.
pub(crate) struct RecipeFile {
    text: String,
    keys: BTreeMap<String, Value>,
    identity: Result<Identity, Incomparable>,
}

impl RecipeFile {
    /// Reads the recipe of a run directory; `None` if it has none.
    pub(crate) fn read(directory: &Path) -> Result<Option<Self>, Error> {
        let path = directory.join(Run::RECIPE);
        let Some(text) = bounded::text_if_there(&path, bounded::RECIPE)? else { return Ok(None) };
        let malformed = |e| record::Error::malformed(&path, format!("not a recipe: {e}"));
        let table = escape::toml(&text).map_err(malformed)?;
        let keys = flatten(table);
        Ok(Some(Self { identity: Identity::of_record(&keys), keys, text }))
    }

    /// How the training of this recipe differs from a requested run; `None` if it is the same.
    pub(crate) fn difference(&self, spec: &RunSpec) -> Option<String> {
        let there = match &self.identity {
            Ok(identity) => identity,
            Err(why) => return Some(why.to_string()),
        };
        let show = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), ToString::to_string);
        let differences = there.differences(&spec.identity);
        let line = |(key, a, b): &(&str, _, _)| format!("{key} is {} there, {} here", show(*a), show(*b));
        let lines: Vec<String> = differences.iter().take(3).map(line).collect();
        let more = differences.len().saturating_sub(3);
        let more = if more == 0 { String::new() } else { format!("; and {more} more") };
        (!lines.is_empty()).then(|| lines.join("; ") + &more)
    }

    /// Whether a record belongs to this recipe: the file was not changed after the run was trained.
    pub(crate) fn is_of(&self, record: &RunRecord) -> bool {
        match &record.provenance.identity {
            Some(stated) => self.identity.as_ref().is_ok_and(|own| own.agrees_with(stated)),
            None => record.provenance.recipe_hash == hex(&Sha256::digest(self.text.as_bytes())),
        }
    }

    /// Whether a run of this recipe has everything requested, or cannot continue.
    pub(crate) fn is_enough(&self, directory: &Path, status: &Status, spec: &RunSpec) -> Result<bool, Error> {
        let there = epochs_asked(&self.keys).unwrap_or(0);
        let log = || Run::read(directory).map(|run| run.epochs);
        Ok(match status {
            // It would stop again.
            Status::Stopped { .. } => true,
            Status::Finished => there >= spec.last_epoch,
            // It continues if the request no longer contains the check that halted it.
            Status::Halted { epoch, .. } if *epoch < spec.last_epoch => {
                log()?.last().is_some_and(|epoch| halts_on(spec, epoch).is_some())
            }
            Status::Halted { .. } => true,
            // A longer run in progress may already have enough epochs.
            Status::Running | Status::Interrupted if there > spec.last_epoch => {
                log()?.last().is_some_and(|epoch| epoch.epoch >= spec.last_epoch)
            }
            Status::Running | Status::Interrupted => false,
        })
    }
}

/// Examines the directory. Refuses another recipe, and data that have changed.
pub(crate) fn look(path: &Path, spec: &RunSpec, data_hash: &str, resume: bool) -> Result<Found, Error> {
    let Some(recipe) = RecipeFile::read(path)? else { return nothing_or_remains(path, Run::RECIPE) };
    let other = |difference: String| Error::OtherRecipe { path: path.to_owned(), difference };
    if let Some(difference) = recipe.difference(spec) {
        return Err(other(difference));
    }
    if !resume {
        return Err(Error::Exists { path: path.to_owned() });
    }
    if !path.join(Run::RECORD).exists() {
        return nothing_or_remains(path, Run::RECORD);
    }
    let record = RunRecord::read(path)?;
    if !recipe.is_of(&record) {
        return Err(other(format!("{} was changed after it was trained", Run::RECIPE)));
    }
    if record.provenance.data_hash != data_hash {
        let found = record.provenance.data_hash;
        return Err(Error::OtherData { path: path.to_owned(), found, now: data_hash.to_owned() });
    }
    // The word of the record alone does not count: a process that lost the run to another may have written it last.
    let goes_on = is_ahead_of_log(path, &record.status, spec) && path.join(Run::CHECKPOINT).exists();
    if goes_on || !recipe.is_enough(path, &record.status, spec)? {
        // A complete run without its checkpoint would start over and lose its log.
        if record.status.is_complete() && !path.join(Run::CHECKPOINT).exists() {
            let path = path.to_owned();
            return Err(Error::Remains { path, found: Run::METRICS, missing: Run::CHECKPOINT });
        }
        return Ok(Found::Unfinished(Box::new(record)));
    }
    log_reaches(path, &record.status, spec.last_epoch)?;
    Ok(Found::Over(match record.status {
        Status::Running | Status::Interrupted => Status::Finished,
        status => status,
    }))
}

/// Whether a record says that a run is finished whose log does not go as far.
fn is_ahead_of_log(path: &Path, status: &Status, spec: &RunSpec) -> bool {
    *status == Status::Finished && last_epoch(path) < Some(spec.last_epoch)
}

/// Refuses a run whose record says more than its log holds: one of them was lost.
fn log_reaches(path: &Path, status: &Status, asked: u64) -> Result<(), Error> {
    let promised = match status {
        Status::Finished => asked,
        Status::Halted { epoch, .. } | Status::Stopped { epoch, .. } => *epoch,
        // Taken as enough because of its log.
        Status::Running | Status::Interrupted => return Ok(()),
    };
    let run = Run::read(path)?;
    let problem = match run.last() {
        Some(last) if last.epoch >= promised => return Ok(()),
        Some(last) => format!("it ends after epoch {}", last.epoch),
        None => "it is missing or empty".to_owned(),
    };
    let advice = "restore it from a copy, or remove the run's folder and train it again";
    let problem = format!("{problem}, but {} speaks of epoch {promised}: {advice}", Run::RECORD);
    Err(record::Error::malformed(&path.join(Run::METRICS), problem).into())
}

/// Whether a run directory has everything requested.
pub fn is_trained(path: &Path, spec: &RunSpec) -> bool {
    let enough = || -> Result<bool, Error> {
        let Some(recipe) = RecipeFile::read(path)? else { return Ok(false) };
        let record = RunRecord::read(path)?;
        let same = recipe.difference(spec).is_none() && recipe.is_of(&record);
        let logged = path.join(Run::METRICS).is_file() && !is_ahead_of_log(path, &record.status, spec);
        Ok(same && logged && record.status.is_complete() && recipe.is_enough(path, &record.status, spec)?)
    };
    enough().unwrap_or(false)
}

/// A directory without recipe or record can be used, unless it contains results of a run.
fn nothing_or_remains(path: &Path, missing: &'static str) -> Result<Found, Error> {
    let computed = [Run::RECORD, Run::METRICS, Run::CHECKPOINT];
    match computed.into_iter().find(|file| path.join(file).exists()) {
        Some(found) => Err(Error::Remains { path: path.to_owned(), found, missing }),
        None => Ok(Found::Nothing),
    }
}
