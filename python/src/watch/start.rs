//! The record of a training that is done elsewhere: as it begins, and as it goes on.

use crate::fault::Fault;
use crate::remedy::with_keywords;
use lab::{machine, now};
use pyo3::prelude::*;
use record::{Elsewhere, Epoch, NetworkFacts, Provenance, Remedy, Run, RunRecord, Status};
use std::path::Path;

/// What is known of a training, by the keys of a dict.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct Facts {
    by: String,
    rule: String,
    seed: u64,
    pub(super) recipe: String,
    recipe_hash: String,
    network: String,
    inputs: usize,
    width: usize,
    blocks: usize,
    classes: usize,
    parameters: usize,
    data: String,
    data_hash: String,
    threads: usize,
}

/// The record of a run that begins.
pub(super) fn record_of(path: &Path, facts: Facts) -> RunRecord {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    RunRecord {
        schema: RunRecord::SCHEMA.to_owned(),
        id: name.unwrap_or_else(|| format!("{}-s{}", facts.rule, facts.seed)),
        rule: facts.rule,
        status: Status::Running,
        network: NetworkFacts {
            name: facts.network,
            inputs: facts.inputs,
            width: facts.width,
            blocks: facts.blocks,
            classes: facts.classes,
            parameters: facts.parameters,
        },
        provenance: Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            recipe_hash: facts.recipe_hash,
            identity: None,
            // Nothing of it was computed by this program.
            numerics: Vec::new(),
            data: facts.data,
            data_hash: facts.data_hash,
            seed: facts.seed,
            machine: machine(),
            threads: facts.threads,
            started: now(),
            ended: None,
            resumed: 0,
            elsewhere: Some(Elsewhere { by: facts.by, accuracy_of_samples: false }),
        },
        drift: None,
    }
}

/// The epochs of the run that is there, to epoch `keep`, whose record goes on in `record`. Another run is refused.
pub(super) fn continued(path: &Path, record: &mut RunRecord, keep: Option<u64>) -> Result<Vec<Epoch>, Fault> {
    let run = Run::read(path)?;
    let shown = record::escape::path(path);
    let from = run.record.provenance;
    let Some(before) = from.elsewhere else {
        let message = format!("{shown} holds a run that this program trained: choose another folder");
        return Err(Fault::new("RunError", with_keywords(message, [Remedy::OtherFolder])));
    };
    let own = &mut record.provenance;
    let differs = [
        ("rule", run.record.rule != record.rule),
        ("seed", from.seed != own.seed),
        ("network", run.record.network != record.network),
        ("batch", from.data_hash != own.data_hash),
    ];
    if let Some((what, _)) = differs.iter().find(|(_, differs)| *differs) {
        let message = format!("{shown} holds another run: its {what} is not the same; choose another folder");
        return Err(Fault::new("RunError", with_keywords(message, [Remedy::OtherFolder])));
    }
    own.started = from.started;
    own.resumed = from.resumed.saturating_add(1);
    if let Some(elsewhere) = &mut own.elsewhere {
        elsewhere.accuracy_of_samples = before.accuracy_of_samples;
    }
    let mut epochs = run.epochs;
    if let Some(keep) = keep {
        if !epochs.iter().any(|epoch| epoch.epoch == keep) {
            let end = epochs.last().map_or("nothing".to_owned(), |last| format!("epoch {}", last.epoch));
            let message = format!("resume={keep}: the log of {shown} ends with {end}");
            return Err(Fault::new("UsageError", message));
        }
        epochs.retain(|epoch| epoch.epoch <= keep);
    }
    Ok(epochs)
}
