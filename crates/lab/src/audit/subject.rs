//! A run loaded from disk: its recipe, its network with the weights of the checkpoint, and its recorded credit.

use crate::recipe::hex;
use crate::store::{Checkpoint, Restored};
use crate::{Error, Recipe, RunSpec};
use nn::{Architecture, Net};
use record::rules::is_listed;
use record::{Run, bounded};
use rules::Learner;
use sha2::{Digest, Sha256};

/// The parts of a run that an audit needs.
pub(super) struct Loaded {
    pub(super) spec: RunSpec,
    pub(super) learner: Learner<f32, Net>,
    pub(super) checkpoint: Checkpoint,
    /// Credit of the embedding, block 0 and so on, on the first test samples.
    pub(super) credit: Vec<Vec<f32>>,
}

/// Why a run is judged from its log instead of being measured.
pub(super) enum Unmeasured {
    /// There is nothing to measure.
    Needless(&'static str),
    /// Something that the measurement needs is missing.
    Lacking(String),
}

/// The run's own recipe, and the hash of its file. A rule that this program does not know cannot be trained, but its run can be
/// judged: without the rule's section, the recipe still gives data, network, epochs and thresholds.
pub(super) fn spec(run: &Run) -> Result<(RunSpec, String), Error> {
    let path = run.path.join(Run::RECIPE);
    let text = bounded::text(&path, bounded::RECIPE)?;
    let hash = hex(&Sha256::digest(text.as_bytes()));
    let mut recipe = run.recipe.clone();
    if !is_listed(&run.record.rule) {
        recipe.retain(|key, _| !key.starts_with("rule."));
    }
    let mut specs = Recipe::of_record(&recipe, &path.display().to_string())?.runs()?;
    match (specs.pop(), specs.is_empty()) {
        (Some(spec), true) => Ok((spec, hash)),
        _ => Err(record::Error::malformed(&path, "not the recipe of a single run").into()),
    }
}

/// Loads the checkpoint, or says why the run cannot be measured.
pub(super) fn load(run: &Run, spec: RunSpec) -> Result<Loaded, Unmeasured> {
    let lacking = |why: &dyn std::fmt::Display| Unmeasured::Lacking(why.to_string());
    if !is_listed(&run.record.rule) {
        return Err(lacking(&format!("this program has no rule `{}`", run.record.rule)));
    }
    let mut learner = spec.learner().map_err(|e| lacking(&e))?;
    if !spec.net.classifies() {
        return Err(Unmeasured::Needless(
            "its cost depends on more than the state, so a moved state cannot be judged; its credit is compared with the exact \
             costate in the run's own log",
        ));
    }
    let found = Checkpoint::read(&run.path, &run.record.provenance, &mut learner).map_err(|e| lacking(&e))?;
    let Restored { checkpoint, credit } = found.ok_or_else(|| lacking(&"no checkpoint"))?;
    Ok(Loaded { spec, learner, checkpoint, credit })
}
