//! The names of a sweep's files. `docs/cluster.md` lists them, and a test compares.

use crate::Error;
use std::path::{Path, PathBuf};

/// The folder of a sweep's runs. All else is below `sweep` in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder that holds the run directories. Made absolute, since jobs start elsewhere.
    pub fn at(root: &Path) -> Result<Self, Error> {
        let root = std::path::absolute(root).map_err(|source| record::Error::io("find", root, source))?;
        Ok(Self { root })
    }

    /// The folder of the runs.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The directory of a run.
    pub fn run(&self, id: &str) -> PathBuf {
        self.root.join(id)
    }

    /// Everything that is not a run.
    pub fn sweep(&self) -> PathBuf {
        self.root.join("sweep")
    }

    /// What is to be trained; never changes.
    pub fn manifest(&self) -> PathBuf {
        self.sweep().join("manifest.json")
    }

    /// A copy of the program, which workers execute.
    pub fn program(&self) -> PathBuf {
        self.sweep().join("creditscope")
    }

    /// The shards of a submission, one per line, each the names of its runs; never changes.
    pub fn shards(&self, submission: u64) -> PathBuf {
        self.sweep().join("shards").join(format!("{submission}.txt"))
    }

    /// The batch script of a submission.
    pub fn script(&self, submission: u64) -> PathBuf {
        self.sweep().join(format!("{submission}.sh"))
    }

    /// The folder of submissions.
    pub fn submissions(&self) -> PathBuf {
        self.sweep().join("submissions")
    }

    /// The attempts at a run.
    pub fn attempts(&self, run: &str) -> PathBuf {
        self.sweep().join("attempts").join(run)
    }

    /// What workers print.
    pub fn logs(&self) -> PathBuf {
        self.sweep().join("logs")
    }

    /// The table that collecting writes.
    pub fn table(&self) -> PathBuf {
        self.sweep().join("runs.csv")
    }

    /// Makes a folder and those above it.
    pub(crate) fn make(path: &Path) -> Result<(), Error> {
        Ok(record::durable::create_folders(path)?)
    }
}
