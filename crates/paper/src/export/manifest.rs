//! `results/creditscope.json`: which run each number of an export came from, which the paper's files cannot hold. It
//! also marks files as ours: an export never overwrites the paper's own.

use record::{Error, Run, durable, versioned};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

/// The run behind a key of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Origin {
    pub run: String,
    pub seed: u64,
    /// SHA-256 of the resolved recipe.
    pub recipe_hash: String,
    /// SHA-256 of the decoded data.
    pub data_hash: String,
    /// Version of the program that trained it.
    pub version: String,
}

impl Origin {
    pub(super) fn of(run: &Run) -> Self {
        let from = &run.record.provenance;
        Self {
            run: run.record.id.clone(),
            seed: from.seed,
            recipe_hash: from.recipe_hash.clone(),
            data_hash: from.data_hash.clone(),
            version: from.version.clone(),
        }
    }
}

/// Everything that exports have written into a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// See [`Self::SCHEMA`].
    pub schema: String,
    /// By file, then by key in it.
    pub files: BTreeMap<String, BTreeMap<String, Origin>>,
}

impl Manifest {
    /// The format version that this program writes and reads.
    pub const SCHEMA: &str = "creditscope.export/1";
    /// Path below the export's folder.
    pub const FILE: &str = "results/creditscope.json";

    /// Reads the manifest of an export's folder; an empty one where nothing was exported yet.
    pub fn read(out: &Path) -> Result<Self, Error> {
        match versioned(&out.join(Self::FILE), Self::SCHEMA, "the list of an export") {
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
                Ok(Self { schema: Self::SCHEMA.to_owned(), files: BTreeMap::new() })
            }
            read => read,
        }
    }

    /// The run behind a key of a file, if the file is part of an export of ours.
    pub(crate) fn origin(file: &Path, key: &str) -> Option<Origin> {
        // Below the export's folder a file's path is results/<folder>/<file>.
        let real = file.canonicalize().ok()?;
        let out = real.ancestors().nth(3)?;
        let below = real.strip_prefix(out).ok()?;
        let name: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        // An unreadable manifest is no reason to leave out a readable file.
        Self::read(out).ok()?.files.get(&name.join("/"))?.get(key).cloned()
    }

    /// Refuses to write over a file that no export wrote.
    pub(super) fn check<'a>(&self, out: &Path, files: impl Iterator<Item = &'a str>) -> Result<(), Error> {
        for file in files {
            let path = out.join(file);
            if path.exists() && !self.files.contains_key(file) {
                let problem =
                    "no export wrote this file, so it may be the paper's own data; choose another folder";
                return Err(Error::malformed(&path, problem));
            }
        }
        Ok(())
    }

    pub(super) fn write(&self, out: &Path) -> Result<(), Error> {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest is plain data");
        text.push('\n');
        durable::write(&out.join(Self::FILE), text.as_bytes())
    }
}
