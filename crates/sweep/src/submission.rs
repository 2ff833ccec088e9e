//! `sweep/submissions/N.json`: what was handed out, to whom.
//!
//! It is written before a scheduler is asked and again with the job's number. One without a number is an answer that was lost:
//! its job, if there is one, is found by name.

use crate::{Error, Folder};
use record::{bounded, durable, versioned};
use serde::{Deserialize, Serialize};

/// To whom shards were handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An array of Slurm.
    Slurm,
    /// This machine.
    Local,
    /// Printed, for the user to start.
    Commands,
}

/// Shards that were handed out together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// Version of this format.
    pub schema: String,
    /// Its number, from 1.
    pub number: u64,
    /// To whom.
    pub kind: Kind,
    /// When, UTC.
    pub time: String,
    /// Name of the job.
    pub name: String,
    /// Number of the job, once known.
    pub job: Option<u64>,
    /// Number of shards, and of elements of the array.
    pub shards: usize,
    /// The options that were passed on to sbatch.
    pub options: Vec<String>,
}

impl Submission {
    pub(crate) const SCHEMA: &str = "creditscope.submission/1";

    /// All submissions of a sweep, by number.
    pub fn all(folder: &Folder) -> Result<Vec<Self>, Error> {
        let mut all = Vec::new();
        for entry in std::fs::read_dir(folder.submissions()).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|ext| ext == "json") && !hidden(&entry.file_name()) {
                all.push(versioned::<Self>(&path, Self::SCHEMA, "a submission")?);
            }
        }
        all.sort_by_key(|submission| submission.number);
        Ok(all)
    }

    /// The name of a shard.
    pub fn shard(&self, index: usize) -> String {
        format!("{}-{index}", self.number)
    }

    pub(crate) fn write(&self, folder: &Folder) -> Result<(), Error> {
        Folder::make(&folder.submissions())?;
        let mut text = serde_json::to_string_pretty(self).expect("a submission is plain data");
        text.push('\n');
        Ok(durable::write(&folder.submissions().join(format!("{}.json", self.number)), text.as_bytes())?)
    }
}

/// Whether a file is still being written.
fn hidden(name: &std::ffi::OsStr) -> bool {
    name.to_string_lossy().starts_with('.')
}

/// Writes the shards of a submission.
pub(crate) fn write_shards(folder: &Folder, submission: u64, shards: &[Vec<&str>]) -> Result<(), Error> {
    let path = folder.shards(submission);
    if let Some(at) = path.parent() {
        Folder::make(at)?;
    }
    let text: String = shards.iter().map(|runs| runs.join(" ") + "\n").collect();
    Ok(durable::write(&path, text.as_bytes())?)
}

/// Reads the shards of a submission.
pub(crate) fn read_shards(folder: &Folder, submission: u64) -> Result<Vec<Vec<String>>, Error> {
    let path = folder.shards(submission);
    let Some(text) = bounded::text_if_there(&path, bounded::RECORD)? else {
        return Err(Error::NoShards { path });
    };
    Ok(text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect())
}
