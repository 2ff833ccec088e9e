//! The runs that are to be exported.

use crate::commands::runs::find;
use crate::failure::Failure;
use crate::show;
use record::Run;
use std::path::PathBuf;

/// Runs that could be read, and how many could not.
pub(super) struct Material {
    pub(super) runs: Vec<Run>,
    unread: usize,
}

impl Material {
    /// Every run at or below the paths. One that cannot be read is complained about, and is no reason to keep back the others.
    pub(super) fn read(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut runs = Vec::new();
        let mut problems = Vec::new();
        for found in find(paths)? {
            match found.run {
                Ok(run) => runs.push(run),
                Err(problem) => problems.push(problem),
            }
        }
        if runs.is_empty() {
            return Err(Failure::Input(problems.join("\n")));
        }
        problems.iter().for_each(|problem| show::complain!("creditscope: {problem}"));
        Ok(Self { runs, unread: problems.len() })
    }

    /// An export that lacks runs must not pass for a whole one.
    pub(super) fn whole(&self) -> Result<(), Failure> {
        match self.unread {
            0 => Ok(()),
            n => Err(Failure::Input(format!("{n} of the run directories could not be read, see above"))),
        }
    }
}
