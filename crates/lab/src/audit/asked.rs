//! What the recipe of a run says to its audit.

use super::subject::{Unmeasured, spec};
use crate::recipe::{hex, own_data_of};
use crate::{Error, RunSpec};
use protocol::{Thresholds, thresholds};
use record::{Run, bounded};
use sha2::{Digest, Sha256};

/// What an audit needs of a recipe.
pub(super) struct Asked {
    /// Hash of the recipe's file.
    pub(super) recipe_hash: String,
    pub(super) limits: Thresholds,
    /// Epochs to train.
    pub(super) last_epoch: u64,
    /// Test samples that there are.
    pub(super) test: u64,
    /// The run itself, or why it cannot be measured.
    pub(super) spec: Result<RunSpec, Unmeasured>,
}

/// Reads the recipe of a run. That of a run that was trained elsewhere, or on a user's file that is not here any more, states what
/// is known, and is asked for no more.
pub(super) fn asked(run: &Run) -> Result<Asked, Error> {
    let without = match own_data_of(&run.recipe).map(|path| data::OwnData::open(&path)) {
        _ if run.record.provenance.elsewhere.is_some() => {
            Unmeasured::Needless("trained elsewhere: nothing shows which credit trained it")
        }
        Some(Err(why)) => Unmeasured::Lacking(why.to_string()),
        None | Some(Ok(_)) => {
            let (spec, recipe_hash) = spec(run)?;
            let (limits, last_epoch) = (spec.thresholds, spec.last_epoch);
            let test = spec.source.dimensions().test as u64;
            return Ok(Asked { recipe_hash, limits, last_epoch, test, spec: Ok(spec) });
        }
    };
    let text = bounded::text(&run.path.join(Run::RECIPE), bounded::RECIPE)?;
    let last = run.last();
    Ok(Asked {
        recipe_hash: hex(&Sha256::digest(text.as_bytes())),
        limits: thresholds(|key| run.key(key)),
        last_epoch: run.epochs_asked().or(last.map(|last| last.epoch)).unwrap_or(0),
        test: last.map_or(0, |last| last.evaluation.samples),
        spec: Err(without),
    })
}
