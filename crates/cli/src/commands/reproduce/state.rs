//! Which runs of a study are there, and where.

use crate::failure::Failure;
use data::Folder;
use lab::study::Shelf;
use lab::{DataSets, RunSpec};
use record::audit::Audit;
use record::{Run, Status};
use std::path::{Path, PathBuf};

/// A run that a study asks for, and its record if there is one.
pub(super) struct Asked {
    pub(super) spec: RunSpec,
    pub(super) run: Option<Run>,
    pub(super) audit: Option<Audit>,
}

/// Finds the record of each run in these folders. One that cannot be what it says is an error, not a run that is missing.
pub(super) fn find(specs: &[RunSpec], folders: &[PathBuf], data: &Folder) -> Result<Vec<Asked>, Failure> {
    let shelf = Shelf::look(folders)?;
    let mut data_sets = DataSets::new(data.clone());
    let mut asked = Vec::with_capacity(specs.len());
    for spec in specs {
        let hash = data_sets.hash(&spec.source)?;
        let run = shelf.find(spec, &hash)?.map(Run::read).transpose()?;
        let audit = match &run {
            Some(run) => {
                whole(run, spec.last_epoch)?;
                run.audit()?
            }
            None => None,
        };
        asked.push(Asked { spec: spec.clone(), run, audit });
    }
    Ok(asked)
}

/// A finished run's log goes to its last epoch.
fn whole(run: &Run, last: u64) -> Result<(), record::Error> {
    let end = run.last().map_or(0, |epoch| epoch.epoch);
    if run.record.status == Status::Finished && end < last {
        let problem = format!("it ends with epoch {end}, and the run finished with {last}");
        return Err(record::Error::malformed(&run.path.join(Run::METRICS), problem));
    }
    Ok(())
}

/// Folders that hold a run that was found, each once.
pub(super) fn folders(asked: &[Asked]) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        asked.iter().filter_map(|a| a.run.as_ref()).map(|run| run.path.clone()).collect();
    all.sort();
    all.dedup();
    all
}

/// `docs/results`, where records are kept that need not be computed again.
pub(super) fn kept() -> Vec<PathBuf> {
    let here = Path::new("docs/results");
    if here.is_dir() { vec![here.to_owned()] } else { Vec::new() }
}
