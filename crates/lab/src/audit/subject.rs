//! A run loaded again: its recipe, its network with the weights of the checkpoint, and the credit that it recorded.

use crate::recipe::hex;
use crate::store::{Checkpoint, Restored};
use crate::{Error, Recipe, RunSpec};
use nn::{Net, Network};
use record::Run;
use rules::Learner;
use sha2::{Digest, Sha256};

/// A run as an audit needs it.
pub(super) struct Loaded {
    pub(super) spec: RunSpec,
    pub(super) learner: Learner<f32, Net>,
    pub(super) checkpoint: Checkpoint,
    /// Credit of the embedding, block 0 and so on, on the first test samples.
    pub(super) credit: Vec<Vec<f32>>,
}

/// Why a run is judged by what is written down.
pub(super) enum Unmeasured {
    /// There is nothing to measure.
    Needless(&'static str),
    /// Something that measuring takes is not there.
    Lacking(String),
}

/// The run's own recipe, and the hash of its file.
pub(super) fn spec(run: &Run) -> Result<(RunSpec, String), Error> {
    let path = run.path.join(Run::RECIPE);
    let text = std::fs::read_to_string(&path).map_err(|source| record::Error::io("read", &path, source))?;
    let mut specs = Recipe::of_record(&run.recipe, &path.display().to_string())?.runs()?;
    match (specs.pop(), specs.is_empty()) {
        (Some(spec), true) => Ok((spec, hex(&Sha256::digest(text.as_bytes())))),
        _ => Err(record::Error::malformed(&path, "not the recipe of a single run").into()),
    }
}

/// Loads the checkpoint; or says why the run cannot be measured.
pub(super) fn load(run: &Run, spec: RunSpec) -> Result<Loaded, Unmeasured> {
    let lacking = |why: &dyn std::fmt::Display| Unmeasured::Lacking(why.to_string());
    let mut learner = spec.learner().map_err(|e| lacking(&e))?;
    if !Network::<f32>::classifies(&spec.net) {
        return Err(Unmeasured::Needless(
            "its cost depends on more than the state, so a moved state cannot be judged; its credit is held against the exact \
             costate in the run's own log",
        ));
    }
    let found = Checkpoint::read(&run.path, &mut learner).map_err(|e| lacking(&e))?;
    let Restored { checkpoint, credit } = found.ok_or_else(|| lacking(&"no checkpoint"))?;
    if !checkpoint.is_of(&run.record.provenance) {
        return Err(lacking(&"the checkpoint belongs to another recipe"));
    }
    Ok(Loaded { spec, learner, checkpoint, credit })
}
