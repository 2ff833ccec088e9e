//! `results/creditscope.json`: which run each number of an export came from. The paper's files have no room for
//! that. It also tells our files from the paper's own, which an export never overwrites.

use record::{Error, Run, durable, versioned};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

/// The run behind a key of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Name of the run.
    pub run: String,
    /// The seed.
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

/// Everything that exports wrote into a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of this format.
    pub schema: String,
    /// By file, then by key in it.
    pub files: BTreeMap<String, BTreeMap<String, Origin>>,
}

impl Manifest {
    /// The version this program writes and reads.
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

    /// The run behind a key of a file, where the file lies in an export of ours. The paper's own files have no such list.
    pub(crate) fn origin(file: &Path, key: &str) -> Option<Origin> {
        // A file lies two folders below the export: results/<folder>/<file>.
        let real = file.canonicalize().ok()?;
        let out = real.ancestors().nth(3)?;
        let below = real.strip_prefix(out).ok()?;
        let name: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        // A manifest that cannot be read is no reason to leave out a file that can.
        Self::read(out).ok()?.files.get(&name.join("/"))?.get(key).cloned()
    }

    /// Refuses to write over a file that no export wrote.
    pub(super) fn check<'a>(&self, out: &Path, files: impl Iterator<Item = &'a str>) -> Result<(), Error> {
        for file in files {
            let path = out.join(file);
            if path.exists() && !self.files.contains_key(file) {
                let problem = "is in the way: no export wrote it, so it may be data of the paper; choose another folder";
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
