//! What lies at and below the paths that a user gave: run directories, audits, and files of the source, each once.

use super::{Note, ReadError};
use record::audit::{Audit, AuditSet};
use record::source::Manifest;
use record::{Run, RunRecord};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The kinds of things that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Run,
    Audit,
    Audits,
    Results,
    Snapshot,
    Penalised,
}

/// What was found, and what was passed over.
#[derive(Debug, Default)]
pub(super) struct Finds {
    pub(super) found: Vec<(PathBuf, What)>,
    pub(super) notes: Vec<Note>,
    /// Folders and files already looked at, without links. It also ends circles of links.
    seen: BTreeSet<PathBuf>,
}

/// Folders of records are shallow; beyond this somebody gave the root of a disk.
const DEPTH: usize = 6;

impl Finds {
    /// Looks at a path that the user gave.
    pub(super) fn look(&mut self, path: &Path) -> Result<(), ReadError> {
        if !path.exists() {
            return Err(ReadError::NotFound { path: path.to_owned() });
        }
        if path.is_dir() {
            return self.folder(path, 0);
        }
        let inside = [RunRecord::FILE, Run::RECIPE, Run::METRICS, Audit::FILE, "checkpoint.safetensors"];
        let name = path.file_name().unwrap_or_default();
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        if inside.iter().any(|known| *known == name) && folder.join(RunRecord::FILE).is_file() {
            return self.folder(folder, 0);
        }
        match kind(path) {
            Ok(Some(what)) => self.keep(path, what),
            Ok(None) => Err(ReadError::Unknown {
                path: path.to_owned(),
                problem: "it only says which runs an export was made from".to_owned(),
            }),
            Err(problem) => Err(ReadError::Unknown { path: path.to_owned(), problem }),
        }
    }

    fn folder(&mut self, path: &Path, depth: usize) -> Result<(), ReadError> {
        if path.join(RunRecord::FILE).is_file() {
            return self.keep(path, What::Run);
        }
        if !self.is_new(path)? {
            return Ok(());
        }
        let entries = std::fs::read_dir(path).map_err(|source| ReadError::io(path, source))?;
        let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
        let mut paths = paths.map_err(|source| ReadError::io(path, source))?;
        paths.sort();
        for path in paths {
            // Run directories are often links on a cluster, so links are followed.
            if path.is_dir() {
                if depth < DEPTH {
                    self.folder(&path, depth + 1)?;
                } else {
                    self.notes.push(Note::whole(&path, "not looked into, it lies too deep"));
                }
            } else if path.extension().is_some_and(|extension| extension == "json") {
                match kind(&path) {
                    Ok(Some(what)) => self.keep(&path, what)?,
                    Ok(None) => {}
                    Err(problem) => self.notes.push(Note::whole(&path, format!("passed over: {problem}"))),
                }
            }
        }
        Ok(())
    }

    fn keep(&mut self, path: &Path, what: What) -> Result<(), ReadError> {
        if self.is_new(path)? {
            self.found.push((path.to_owned(), what));
        }
        Ok(())
    }

    fn is_new(&mut self, path: &Path) -> Result<bool, ReadError> {
        let real = path.canonicalize().map_err(|source| ReadError::io(path, source))?;
        Ok(self.seen.insert(real))
    }
}

/// The kind of a file by its name, else by what it says; none for one that belongs to others; the error says why it is no
/// record.
fn kind(path: &Path) -> Result<Option<What>, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // A file with a name of the source's is meant to be one, whatever is in it.
    match name.as_str() {
        "results_cifar10.json" => return Ok(Some(What::Results)),
        name if name.starts_with("snapshot_") && name.ends_with(".json") => return Ok(Some(What::Snapshot)),
        name if name.starts_with("dfa_pen_lam") && name.ends_with(".json") => {
            return Ok(Some(What::Penalised));
        }
        _ => {}
    }
    let text = std::fs::read_to_string(path).map_err(|e| format!("it cannot be read: {e}"))?;
    let value: Value = serde_json::from_str(&text).map_err(|e| format!("not JSON: {e}"))?;
    let Value::Object(object) = value else { return Err("its JSON is not an object".to_owned()) };
    let family = |schema: &str| schema.split('/').next().unwrap_or_default().to_owned();
    if let Some(schema) = object.get("schema").and_then(Value::as_str) {
        // Another version of a known kind is refused by whoever reads it.
        return match family(schema) {
            found if found == family(Audit::SCHEMA) => Ok(Some(What::Audit)),
            found if found == family(AuditSet::SCHEMA) => Ok(Some(What::Audits)),
            found if found == family(Manifest::SCHEMA) => Ok(None),
            _ => Err(format!("its `schema`, `{schema}`, is not one that figures are drawn from")),
        };
    }
    let has = |key: &str| object.get(key).is_some_and(Value::is_array);
    let number = |key: &String| key.parse::<u64>().is_ok();
    if ["bp_log", "dfa_log", "fa_log"].into_iter().any(has) {
        Ok(Some(What::Snapshot))
    } else if has("log") {
        Ok(Some(What::Penalised))
    } else if !object.is_empty() && object.keys().all(number) {
        Ok(Some(What::Results))
    } else {
        let keys: Vec<String> = object.keys().take(4).map(|key| format!("`{key}`")).collect();
        Err(match keys.as_slice() {
            [] => "its object is empty".to_owned(),
            keys => format!("its keys, {}, are not those of a record", keys.join(", ")),
        })
    }
}
