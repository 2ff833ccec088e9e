//! Trials from run directories.

use super::records::TrialAndRecipe;
use super::variant::words;
use super::{EpochPoint, Layers, Note, Origin, OriginKind, ReadError, Setting, Trial};
use protocol::baseline::{Fill, Recipe, TrainingKeys, is_frozen};
use protocol::{modifiers, thresholds};
use record::{Run, Status};
use std::path::Path;

/// Reads a run; `None` if there is nothing to draw yet, or ever.
pub(super) fn read(
    path: &Path,
    fill: Fill<'_>,
    notes: &mut Vec<Note>,
) -> Result<Option<TrialAndRecipe>, ReadError> {
    let run = Run::read(path)?;
    let audit = protocol::kept_audit(&run)?;
    check(&run)?;
    if run.epochs.is_empty() {
        notes.push(Note::at(path, Run::METRICS, "passed over: no epoch has been measured yet"));
        return Ok(None);
    }
    if run.record.network.name == "lq" {
        notes.push(Note::whole(path, "only in `architecture`: the other figures are of classifiers"));
    }
    notes.extend(unfinished(&run.record.status).map(|what| Note::whole(path, what)));
    let Run { record, recipe, epochs, .. } = run;
    let (recipe, keys) = completed(recipe, fill);
    let flag = |key: &str| recipe.get(key).and_then(toml::Value::as_bool);
    let whole = |key: &str| {
        let value = recipe.get(key).and_then(toml::Value::as_integer);
        value.and_then(|value| u64::try_from(value).ok())
    };
    let real = |key: &str| {
        let value = recipe.get(key)?;
        value.as_float().or(value.as_integer().map(|value| value as f64))
    };
    let blocks = whole("net.blocks").unwrap_or(record.network.blocks as u64);
    let schedule = whole("train.epochs");
    let stop = whole("train.stop_after").filter(|&stop| stop > 0 && schedule.is_some_and(|s| stop < s));
    let setting = Setting {
        data: record.provenance.data.clone(),
        network: record.network.name.clone(),
        out_ln: flag("net.out_ln"),
        d: whole("net.d").or(Some(record.network.width as u64)),
        blocks: Some(blocks),
        alpha: real("net.alpha"),
        epochs: stop.or(schedule),
        schedule: stop.and(schedule),
        other: Vec::new(),
    };
    let modifiers = modifiers(&recipe, blocks);
    let epochs: Vec<EpochPoint> = epochs.into_iter().map(EpochPoint::from).collect();
    let end = epochs.last().map_or(0, |epoch| epoch.epoch);
    let final_audit = audit.as_ref().filter(|audit| audit.epoch == Some(end));
    if let Some(audit) = audit.as_ref().filter(|_| final_audit.is_none()) {
        let epoch = audit.epoch.map_or("an unknown epoch".to_owned(), |epoch| format!("epoch {epoch}"));
        let what = format!("of {epoch}, but the log ends with epoch {end}: layers are drawn from the log");
        notes.push(Note::at(path, Run::AUDIT, what));
    }
    let logged = epochs.last().map(|epoch| epoch.layers.clone()).unwrap_or_default();
    let drift = record.drift.as_ref().map(|drift| {
        (0..record.network.blocks).map(|l| drift.get(&format!("blocks.{l}.w1.weight")).copied()).collect()
    });
    let trial = Trial {
        name: record.id.clone(),
        rule: record.rule.clone(),
        penalty: modifiers.penalty,
        frozen: is_frozen(&recipe),
        modifiers: words(&modifiers),
        classes: Some(record.network.classes as u64),
        seed: Some(record.provenance.seed),
        setting,
        origin: Origin {
            kind: OriginKind::Run,
            path: path.to_owned(),
            key: None,
            recipe_hash: Some(record.provenance.recipe_hash.clone()),
            data_hash: Some(record.provenance.data_hash.clone()),
            file_hash: None,
            seed: Some(record.provenance.seed),
        },
        status: Some(record.status),
        native_samples: None,
        keys: Some(keys),
        thresholds: thresholds(|key| recipe.get(key)),
        final_layers: final_audit.map(Layers::of_audit).unwrap_or_default().or(&logged),
        epochs,
        drift: drift.unwrap_or_default(),
        audit: audit.map(Box::new),
    };
    Ok(Some(TrialAndRecipe { trial, recipe }))
}

/// The recipe with what `fill` gives the keys that it lacks, so that a run from before a key and one from after it compare as
/// what they are: trained alike. Keys that only measure stay as they are written.
fn completed(mut recipe: Recipe, fill: Fill<'_>) -> (Recipe, TrainingKeys) {
    let keys = TrainingKeys::of(&recipe, fill);
    recipe.extend(keys.recipe().clone());
    (recipe, keys)
}

/// Epochs of a log must increase and have the same number of layers.
fn check(run: &Run) -> Result<(), ReadError> {
    let path = run.path.join(Run::METRICS);
    for (i, pair) in run.epochs.windows(2).enumerate() {
        let before = pair[0].epoch;
        let epoch = pair[1].epoch;
        if epoch <= before {
            let problem = format!("line {}: `epoch` is {epoch} after {before}", i + 2);
            return Err(ReadError::malformed(&path, problem));
        }
    }
    let Some(first) = run.epochs.first() else { return Ok(()) };
    let layers = first.evaluation.hidden().len();
    for (i, epoch) in run.epochs.iter().enumerate() {
        let lists = [("hidden", epoch.evaluation.hidden()), ("gradient", epoch.evaluation.gradient())];
        if let Some((key, list)) = lists.into_iter().find(|(_, list)| list.len() != layers) {
            let found = list.len();
            let problem = format!(
                "line {}: `evaluation.{key}` has {found} layers, `evaluation.hidden` of line 1 has {layers}",
                i + 1
            );
            return Err(ReadError::malformed(&path, problem));
        }
    }
    Ok(())
}

fn unfinished(status: &Status) -> Option<String> {
    match status {
        Status::Finished => None,
        Status::Running => Some("has not finished".to_owned()),
        Status::Interrupted => Some("was interrupted: drawn as far as it got".to_owned()),
        Status::Halted { check, epoch } => {
            Some(format!("halted after epoch {epoch} when {check} fired: drawn as far as it got"))
        }
        Status::Stopped { reason, .. } => Some(format!("was stopped ({reason}): drawn as far as it got")),
    }
}
