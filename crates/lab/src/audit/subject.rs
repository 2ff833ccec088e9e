//! A run loaded from disk: its recipe, its network with the weights of the checkpoint, and its recorded credit.

use crate::recipe::hex;
use crate::store::{Checkpoint, Restored};
use crate::{Error, Key, Preset, Recipe, RunSpec, Schema};
use nn::{Architecture, Net};
use record::rules::is_listed;
use record::{Run, bounded};
use rules::{Learner, SOURCE, registered};
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

/// The run's own recipe, and the hash of its file. A rule that this process does not know cannot be trained, but its run can be
/// judged: without the rule's own keys, the recipe still gives data, network, epochs and thresholds.
pub(super) fn spec(run: &Run) -> Result<(RunSpec, String), Error> {
    let path = run.path.join(Run::RECIPE);
    let text = bounded::text(&path, bounded::RECIPE)?;
    let hash = hex(&Sha256::digest(text.as_bytes()));
    let mut recipe = run.recipe.clone();
    if unknown(run).is_some() {
        recipe.retain(|key, _| !key.starts_with("rule.") || is_modifier(key));
    }
    let mut specs = Recipe::of_record(&recipe, &path.display().to_string())?.runs()?;
    match (specs.pop(), specs.is_empty()) {
        (Some(spec), true) => Ok((spec, hash)),
        _ => Err(record::Error::malformed(&path, "not the recipe of a single run").into()),
    }
}

/// Why the rule of a run is not known to this process, or not in the version that trained it.
fn unknown(run: &Run) -> Option<String> {
    let name = &run.record.rule;
    let source = run.recipe.get(SOURCE).and_then(toml::Value::as_str);
    let registered = registered().into_iter().find(|rule| rule.name == name);
    match (source, registered) {
        (None, _) => (!is_listed(name)).then(|| format!("this program has no rule `{name}`")),
        (Some(source), Some(rule)) if rule.source == source => None,
        (Some(_), Some(_)) => Some(format!("another version of `{name}` trained it")),
        (Some(_), None) => Some(format!(
            "its rule `{name}` lives in Python: to measure it, call creditscope.audit there with rules=[…]"
        )),
    }
}

/// Whether a key changes what any rule trains.
fn is_modifier(key: &str) -> bool {
    let always = |key: &Key| matches!(key.default, Preset::Always(_));
    key != "rule.name" && Schema::today().find(key).is_some_and(always)
}

/// Loads the checkpoint, or says why the run cannot be measured.
pub(super) fn load(run: &Run, spec: RunSpec) -> Result<Loaded, Unmeasured> {
    let lacking = |why: &dyn std::fmt::Display| Unmeasured::Lacking(why.to_string());
    if let Some(why) = unknown(run) {
        return Err(lacking(&why));
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
