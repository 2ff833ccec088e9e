//! How a run ended, judged by its directory alone, without its recipe being expanded: thousands of runs are asked after at once.

use record::{Run, RunRecord, Status, bounded, epochs_asked, flatten, last_epoch};
use std::path::Path;

/// The run that is asked after.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Version and hash of what steers its training.
    pub identity: &'a str,
    /// Hash of its whole resolved recipe.
    pub recipe_hash: &'a str,
    /// Hash of its data.
    pub data_hash: &'a str,
    /// Epochs to train.
    pub last_epoch: u64,
}

/// How the run in a directory came to its end; none where it has not, or where the directory holds another run. Never claims
/// more than [`super::is_trained`] would: what cannot be decided here is not over.
pub fn outcome(path: &Path, asked: &Asked<'_>) -> Option<Status> {
    let record = RunRecord::read(path).ok()?;
    let from = &record.provenance;
    if from.identity.as_deref() != Some(asked.identity) || from.data_hash != asked.data_hash {
        return None;
    }
    let same_request = from.recipe_hash == asked.recipe_hash;
    let over = match &record.status {
        Status::Stopped { .. } => true,
        Status::Finished => {
            (same_request || epochs(path) >= Some(asked.last_epoch))
                && last_epoch(path) >= Some(asked.last_epoch)
        }
        Status::Halted { epoch, .. } => same_request || *epoch >= asked.last_epoch,
        Status::Running | Status::Interrupted => false,
    };
    over.then_some(record.status)
}

/// Epochs that the recipe in a directory asks for.
fn epochs(path: &Path) -> Option<u64> {
    epochs_asked(&flatten(bounded::text(&path.join(Run::RECIPE), bounded::RECIPE).ok()?.parse().ok()?))
}
