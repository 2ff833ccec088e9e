//! Finds run directories, audits and foreign files at and below the given paths, each once.

use super::{Note, OtherFile, OtherFiles, ReadError};
use record::audit::{Audit, AuditSet};
use record::{Run, bounded, escape};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug)]
pub(super) enum RecordFile {
    Run,
    Audit,
    Audits,
    Other(OtherFile),
}

#[derive(Debug)]
pub(super) struct Finder<'a> {
    others: &'a OtherFiles,
    pub(super) found: Vec<(PathBuf, RecordFile)>,
    pub(super) notes: Vec<Note>,
    /// Folders and files already visited, with links resolved, which also breaks cycles of links.
    seen: BTreeSet<PathBuf>,
}

/// Folders of records are shallow; anything deeper is probably the root of a disk.
const DEPTH: usize = 6;

impl<'a> Finder<'a> {
    pub(super) fn new(others: &'a OtherFiles) -> Self {
        Self { others, found: Vec::new(), notes: Vec::new(), seen: BTreeSet::new() }
    }

    pub(super) fn look(&mut self, path: &Path) -> Result<(), ReadError> {
        if !path.exists() {
            return Err(ReadError::NotFound { path: path.to_owned(), others: self.others.names });
        }
        if path.is_dir() {
            return self.folder(path, 0);
        }
        let name = path.file_name().unwrap_or_default();
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        if Run::FILES.iter().any(|known| *known == name) && folder.join(Run::RECORD).is_file() {
            return self.folder(folder, 0);
        }
        let kind = self.kind(path).and_then(|what| match what {
            RecordFile::Other(OtherFile::NoTrials(words)) => Err(words.to_owned()),
            what => Ok(what),
        });
        let others = self.others.names;
        let unknown = |problem| ReadError::Unknown { path: path.to_owned(), problem, others };
        self.keep(path, kind.map_err(unknown)?)
    }

    fn folder(&mut self, path: &Path, depth: usize) -> Result<(), ReadError> {
        if path.join(Run::RECORD).is_file() {
            return self.keep(path, RecordFile::Run);
        }
        if !self.is_new(path)? {
            return Ok(());
        }
        let entries = std::fs::read_dir(path).map_err(|source| ReadError::io(path, source))?;
        let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
        let mut paths = paths.map_err(|source| ReadError::io(path, source))?;
        paths.sort();
        for path in paths {
            // Links are followed: on clusters, run directories often are links.
            if path.is_dir() {
                if depth < DEPTH {
                    self.folder(&path, depth + 1)?;
                } else {
                    self.notes.push(Note::whole(&path, "not searched, it is nested too deep"));
                }
            } else if path.extension().is_some_and(|extension| extension == "json") {
                match self.kind(&path) {
                    Ok(what) => self.keep(&path, what)?,
                    Err(problem) => self.notes.push(Note::whole(&path, format!("passed over: {problem}"))),
                }
            }
        }
        Ok(())
    }

    fn keep(&mut self, path: &Path, what: RecordFile) -> Result<(), ReadError> {
        if self.is_new(path)? {
            self.found.push((path.to_owned(), what));
        }
        Ok(())
    }

    fn is_new(&mut self, path: &Path) -> Result<bool, ReadError> {
        let real = path.canonicalize().map_err(|source| ReadError::io(path, source))?;
        Ok(self.seen.insert(real))
    }

    /// The kind of a file by its name, else by its content; the error says why it is not a record.
    fn kind(&self, path: &Path) -> Result<RecordFile, String> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(other) = (self.others.kind)(&name, None) {
            return Ok(RecordFile::Other(other));
        }
        let text = bounded::utf8(path, bounded::RECORD).map_err(|e| format!("it cannot be read: {e}"))?;
        let value: Value =
            serde_json::from_str(&escape::json(&text)).map_err(|e| format!("not JSON: {e}"))?;
        let Value::Object(object) = value else { return Err("its JSON is not an object".to_owned()) };
        let schema = object.get("schema").and_then(Value::as_str);
        // An unsupported version is refused later, when the file is read.
        let is = |known: &str| schema.is_some_and(|found| found.split('/').next() == known.split('/').next());
        if is(Audit::SCHEMA) {
            return Ok(RecordFile::Audit);
        }
        if is(AuditSet::SCHEMA) {
            return Ok(RecordFile::Audits);
        }
        if let Some(other) = (self.others.kind)(&name, Some(&object)) {
            return Ok(RecordFile::Other(other));
        }
        let keys: Vec<String> = object.keys().take(4).map(|key| format!("`{key}`")).collect();
        Err(match (schema, keys.as_slice()) {
            (Some(schema), _) => format!("figures cannot be drawn from schema `{schema}`"),
            (None, []) => "its object is empty".to_owned(),
            (None, keys) => format!("its keys, {}, are not those of a record", keys.join(", ")),
        })
    }
}
