//! Run directories as readers see them, and the names of their files.

use crate::audit::{Audit, Subject, Warning};
use crate::{Epoch, Error, RunRecord, bounded, escape, log};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A run read back: its record, its resolved recipe and its epochs.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its directory.
    pub path: PathBuf,
    /// `run.json`.
    pub record: RunRecord,
    /// `recipe.toml`, with dotted keys such as `train.epochs`.
    pub recipe: BTreeMap<String, toml::Value>,
    /// `metrics.jsonl`.
    pub epochs: Vec<Epoch>,
}

impl Run {
    /// The file of the resolved recipe.
    pub const RECIPE: &str = "recipe.toml";
    /// The file of the record.
    pub const RECORD: &str = "run.json";
    /// The log, one line per epoch.
    pub const METRICS: &str = "metrics.jsonl";
    /// The file of the weights and of all else that a run needs to continue.
    pub const CHECKPOINT: &str = "checkpoint.safetensors";
    /// The file of the audit.
    pub const AUDIT: &str = "audit.json";
    /// All files of a run directory.
    pub const FILES: [&str; 5] = [Self::RECIPE, Self::RECORD, Self::METRICS, Self::CHECKPOINT, Self::AUDIT];

    /// Reads a run directory. A half-written last line of the log is passed over.
    pub fn read(directory: &Path) -> Result<Self, Error> {
        let record = RunRecord::read(directory)?;
        let path = directory.join(Self::RECIPE);
        let text = bounded::text(&path, bounded::RECIPE)?;
        let table = escape::toml(&text).map_err(|e| Error::malformed(&path, format!("not a recipe: {e}")))?;
        let recipe = flatten(table);
        let epochs = log::read(&directory.join(Self::METRICS))?;
        Ok(Self { path: directory.to_owned(), record, recipe, epochs })
    }

    /// The run's audit, where there is one. That of another run is an error: numbers do not change hands. That of an earlier
    /// recipe of a resumed run is as good as none.
    pub fn audit(&self) -> Result<Option<Audit>, Error> {
        let Some(audit) = Audit::read(&self.path)? else { return Ok(None) };
        let from = &self.record.provenance;
        let own = match &audit.subject {
            Subject::Run { id, recipe_hash, data_hash, .. } => {
                let same_run = *id == self.record.id && *data_hash == from.data_hash;
                let same_recipe =
                    *recipe_hash == from.recipe_hash || audit.warnings.contains(&Warning::RecipeChanged);
                if same_run && !same_recipe && from.resumed > 0 {
                    return Ok(None);
                }
                same_run && same_recipe
            }
            Subject::Dump { .. } => false,
        };
        let of = audit.subject.id().to_owned();
        let other =
            || Error::malformed(&self.path.join(Self::AUDIT), format!("the audit of another run, `{of}`"));
        if own { Ok(Some(audit)) } else { Err(other()) }
    }

    /// A key of the resolved recipe.
    pub fn key(&self, name: &str) -> Option<&toml::Value> {
        self.recipe.get(name)
    }

    /// Epochs that the recipe asks for.
    pub fn epochs_asked(&self) -> Option<u64> {
        epochs_asked(&self.recipe)
    }

    /// The last epoch, if any was written.
    pub fn last(&self) -> Option<&Epoch> {
        self.epochs.last()
    }
}

/// Epochs that a resolved recipe asks for: `train.stop_after` where it is set, or else the whole schedule.
pub fn epochs_asked(recipe: &BTreeMap<String, toml::Value>) -> Option<u64> {
    let whole = |key: &str| u64::try_from(recipe.get(key)?.as_integer()?).ok();
    whole("train.stop_after").filter(|&n| n > 0).or_else(|| whole("train.epochs"))
}

/// The leaves of a TOML tree under dotted names such as `train.epochs`.
pub fn flatten(table: toml::Table) -> BTreeMap<String, toml::Value> {
    fn walk(prefix: &str, table: toml::Table, into: &mut BTreeMap<String, toml::Value>) {
        for (key, value) in table {
            let name = if prefix.is_empty() { key } else { format!("{prefix}.{key}") };
            match value {
                toml::Value::Table(inner) => walk(&name, inner, into),
                value => {
                    into.insert(name, value);
                }
            }
        }
    }
    let mut flat = BTreeMap::new();
    walk("", table, &mut flat);
    flat
}

/// The run directories at or below `path`, sorted by path.
pub fn find_runs(path: &Path) -> Result<Vec<PathBuf>, Error> {
    /// Folders of runs are shallow; the limit keeps a link to a parent from leading in circles.
    const DEPTH: usize = 6;
    fn walk(path: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Error> {
        if path.join(Run::RECORD).is_file() {
            found.push(path.to_owned());
            return Ok(());
        }
        let entries = std::fs::read_dir(path).map_err(|source| Error::io("read", path, source))?;
        for entry in entries {
            let entry = entry.map_err(|source| Error::io("read", path, source))?;
            // Run directories are often links on a cluster, so links are followed.
            if depth < DEPTH && entry.path().is_dir() {
                walk(&entry.path(), depth + 1, found)?;
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    walk(path, 0, &mut found)?;
    if found.is_empty() {
        return Err(Error::NoRuns { path: path.to_owned() });
    }
    found.sort();
    Ok(found)
}
