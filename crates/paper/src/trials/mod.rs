//! Trials for figures from the paper's files, whose names supply what the content lacks, and from dumps.

mod dump;
mod log;
mod names;
mod read;

use crate::Manifest;
use figures::Records;
use figures::reader::{OtherFile, OtherFiles, ReadError};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// The paper's files, for the reader of records.
pub const FILES: OtherFiles = OtherFiles {
    names: "dumps (`.npz`, `.safetensors`), the paper's `results_cifar10.json`, `snapshot_*.json` and `dfa_pen_lam*.json`",
    kind,
};

/// Reads run directories, audits, dumps, and files or folders of the paper's results, in any combination.
pub fn records(paths: &[PathBuf]) -> Result<Records, ReadError> {
    Records::read_with(paths, &lab::training_keys, &FILES)
}

/// Decides by the file name if it is one of the paper's, else by the keys of the content.
fn kind(name: &str, content: Option<&Map<String, Value>>) -> Option<OtherFile> {
    if [".npz", ".safetensors"].iter().any(|ending| name.ends_with(ending)) {
        return Some(OtherFile::Trials(dump::trials));
    }
    match name.strip_suffix(".json").unwrap_or_default() {
        "results_cifar10" => return Some(OtherFile::Trials(read::results)),
        stem if stem.starts_with("snapshot_") => return Some(OtherFile::Trials(read::snapshot)),
        stem if stem.starts_with("dfa_pen_lam") => return Some(OtherFile::Trials(read::penalised)),
        _ => {}
    }
    let content = content?;
    if let Some(schema) = content.get("schema").and_then(Value::as_str) {
        let is_manifest = schema.split('/').next() == Manifest::SCHEMA.split('/').next();
        return is_manifest.then_some(OtherFile::NoTrials("it only lists the runs of an export"));
    }
    let has = |key: &str| content.get(key).is_some_and(Value::is_array);
    let is_seed = |key: &String| key.parse::<u64>().is_ok();
    if ["bp_log", "dfa_log", "fa_log"].into_iter().any(has) {
        Some(OtherFile::Trials(read::snapshot))
    } else if has("log") {
        Some(OtherFile::Trials(read::penalised))
    } else {
        let results = !content.is_empty() && content.keys().all(is_seed);
        results.then_some(OtherFile::Trials(read::results))
    }
}
