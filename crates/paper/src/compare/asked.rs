//! Which runs of a study exist, and where; and keeping their records.

use data::Folder;
use lab::{DataSets, Error, RunSpec, Shelf};
use record::audit::Audit;
use record::{Run, Status};
use std::path::{Path, PathBuf};

/// A run that a study asks for, with its record and audit if they exist.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the types say what the fields hold")]
pub struct Asked {
    pub spec: RunSpec,
    pub run: Option<Run>,
    pub audit: Option<Audit>,
}

/// Finds the record of each run in these folders. An inconsistent record is an error, not a missing run.
pub fn find(specs: &[RunSpec], folders: &[PathBuf], data: &Folder) -> Result<Vec<Asked>, Error> {
    let shelf = Shelf::look(folders)?;
    let mut data_sets = DataSets::new(data.clone());
    let mut asked = Vec::with_capacity(specs.len());
    for spec in specs {
        let hash = data_sets.hash(&spec.source)?;
        let mut run = shelf.find(spec, &hash)?.map(Run::read).transpose()?;
        let audit = match &mut run {
            Some(run) => {
                check_whole(run, spec.last_epoch)?;
                let audit = protocol::kept_audit(run)?;
                confirm(run, audit.as_ref());
                audit
            }
            None => None,
        };
        asked.push(Asked { spec: spec.clone(), run, audit });
    }
    Ok(asked)
}

/// Logged cosines are f32; where an audit of the same weights confirms the gradient in f64, they are as reliable as its own.
fn confirm(run: &mut Run, audit: Option<&Audit>) {
    if let Some((last, audit)) = run.epochs.last_mut().zip(audit)
        && audit.epoch == Some(last.epoch)
    {
        protocol::confirm_log(&mut last.evaluation, &audit.units);
    }
}

/// Checks that a finished run's log reaches its last epoch.
fn check_whole(run: &Run, last: u64) -> Result<(), record::Error> {
    let end = run.last().map_or(0, |epoch| epoch.epoch);
    if run.record.status == Status::Finished && end < last {
        let problem = format!("it ends with epoch {end}, and the run finished with {last}");
        return Err(record::Error::malformed(&run.path.join(Run::METRICS), problem));
    }
    Ok(())
}

/// Folders of the runs that were found, each once.
pub fn folders(asked: &[Asked]) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        asked.iter().filter_map(|a| a.run.as_ref()).map(|run| run.path.clone()).collect();
    all.sort();
    all.dedup();
    all
}

/// `docs/results`, where records are kept so that they need not be computed again.
pub fn kept() -> Vec<PathBuf> {
    let here = Path::new("docs/results");
    if here.is_dir() { vec![here.to_owned()] } else { Vec::new() }
}

/// Copies a finished run's small files, without weights.
pub fn keep(run: &Path, into: &Path) -> Result<(), record::Error> {
    record::durable::create_folders(into)?;
    for file in [Run::RECIPE, Run::RECORD, Run::METRICS, Run::AUDIT] {
        let from = run.join(file);
        if from.exists() {
            let bytes = record::bounded::read(&from, record::bounded::LOG)?;
            record::durable::write(&into.join(file), &bytes)?;
        }
    }
    Ok(())
}
