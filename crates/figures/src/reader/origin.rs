//! Where a trial's numbers come from, for the provenance that every figure carries.

use std::fmt;
use std::path::{Component, PathBuf};

/// The kind of record behind a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A run directory.
    Run,
    /// An audit without its run.
    Audit,
    /// A file of others, with what such files hold in a few words: it tells settings apart that nothing else does.
    File(&'static str),
}

/// Where a trial comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The kind of record.
    pub kind: Kind,
    /// The path as the user gave it, joined with what was found below.
    pub path: PathBuf,
    /// The key in the file, such as `42/bp` or `dfa_log`; absent for a run.
    pub key: Option<String>,
    /// SHA-256 of the resolved recipe, where known.
    pub recipe_hash: Option<String>,
    /// SHA-256 of the data, where known.
    pub data_hash: Option<String>,
    /// SHA-256 of the file; of files of others only.
    pub file_hash: Option<String>,
    /// The seed, where known.
    pub seed: Option<u64>,
}

impl fmt::Display for Origin {
    /// One line with whole hashes, such as `run dfa-s42; seed 42; recipe 6c…; data 0b…`. Where the records lie is a matter of
    /// the machine and of what was typed, and is left out: the same records give the same line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Run => "run",
            Kind::Audit => "audit",
            Kind::File(_) => "file",
        };
        // A run is named by its folder; any other file also by the folder that it is in.
        let depth = if self.kind == Kind::Run { 1 } else { 2 };
        let parts: Vec<_> =
            self.path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
        let name: PathBuf = parts[parts.len().saturating_sub(depth)..].iter().collect();
        write!(f, "{kind} {}", name.display())?;
        let parts = [
            ("key", self.key.clone()),
            ("seed", self.seed.map(|seed| seed.to_string())),
            ("recipe", self.recipe_hash.clone()),
            ("data", self.data_hash.clone()),
            ("sha256", self.file_hash.clone()),
        ];
        for (name, value) in parts {
            if let Some(value) = value {
                write!(f, "; {name} {value}")?;
            }
        }
        Ok(())
    }
}
