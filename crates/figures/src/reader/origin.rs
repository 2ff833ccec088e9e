//! Where a trial's numbers come from, for the provenance that every figure carries.

use std::fmt;
use std::path::{Component, PathBuf};

/// The kind of record behind a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OriginKind {
    /// A run directory.
    Run,
    /// An audit without its run.
    Audit,
    /// A foreign file, with a few words on what such files hold, which distinguish settings if nothing else does.
    File(&'static str),
}

/// Where a trial comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Kind of record.
    pub kind: OriginKind,
    /// The path that the user gave, joined with what was found below it.
    pub path: PathBuf,
    /// Key in the file, such as `42/bp` or `dfa_log`; `None` for a run.
    pub key: Option<String>,
    /// SHA-256 of the resolved recipe, if known.
    pub recipe_hash: Option<String>,
    /// SHA-256 of the data, if known.
    pub data_hash: Option<String>,
    /// SHA-256 of a foreign file.
    pub file_hash: Option<String>,
    /// The seed, if known.
    pub seed: Option<u64>,
}

impl fmt::Display for Origin {
    /// One line with full hashes, such as `run dfa-s42; seed 42; recipe 6c…; data 0b…`. The location is left out, so that
    /// the same records give the same line on every machine.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            OriginKind::Run => "run",
            OriginKind::Audit => "audit",
            OriginKind::File(_) => "file",
        };
        // A run is named by its folder, any other file by its folder and name.
        let depth = if self.kind == OriginKind::Run { 1 } else { 2 };
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
