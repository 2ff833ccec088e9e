//! Records of runs that were never trained, with every kind of value in them.

use record::Run;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A finished run that says so and has these epochs.
pub(crate) fn run(id: &str, seed: u64, recipe: &str, epochs: Vec<Value>) -> Run {
    let record = json!({
        "schema": "creditscope.run/1", "id": id, "rule": "dfa", "status": {"state": "finished"}, "drift": null,
        "network": {"name": "resmlp", "inputs": 1, "width": 1, "blocks": 1, "classes": 2, "parameters": 1},
        "provenance": {"version": "0", "recipe_hash": "abc", "identity": format!("1:{id}"), "data": "digits",
            "data_hash": "0123456789abcdef", "seed": seed, "machine": {"cpu": "", "cores": 1, "system": ""}, "threads": 1,
            "started": "2024-03-01T00:00:00Z", "ended": "2024-03-01T00:01:00Z", "resumed": 0},
    });
    let text = format!("seed = {seed}\nname = 'made'\n{recipe}");
    Run {
        path: format!("made/{id}").into(),
        record: serde_json::from_value(record).expect("a record"),
        recipe: record::flatten(text.parse().expect("TOML")),
        epochs: epochs.into_iter().map(|epoch| serde_json::from_value(epoch).expect("an epoch")).collect(),
    }
}

/// An epoch that took two seconds, of a network with an embedding and one block. The cosine of the block is given.
pub(crate) fn epoch(epoch: u64, accuracy: f64, cosine: &Value) -> Value {
    json!({
        "schema": "creditscope.metrics/2", "epoch": epoch, "lr": null, "train": null,
        "test": {"loss": 0.5, "accuracy": accuracy},
        "evaluation": {"samples": 64, "error": 0.25, "growth": "inf", "notes": {"state_pred_error": 0.125}, "series": {
            "hidden": {"at": "state", "values": [8.0, "inf"]},
            "gradient": {"at": "state", "values": [1.28, 0.0128]},
            "cosine": {"at": "unit", "values": [0.75, cosine]},
            "cosine_at_input": {"at": "block_input", "values": [-0.5]},
        }},
        "train_seconds": 1.0, "test_seconds": 0.5, "evaluation_seconds": 0.25, "audit_seconds": 0.25,
    })
}

/// A value that does not exist.
pub(crate) fn undefined() -> Value {
    json!({"state": "undefined", "why": "credit_vanished"})
}

/// One that exists but is not to be relied on.
pub(crate) fn unreliable(value: f64) -> Value {
    json!({"state": "unreliable", "value": value, "why": "rounding"})
}

/// Writes the directory of a run below a folder.
pub(crate) fn directory(folder: &Path, run: &Run) -> PathBuf {
    let directory = folder.join(&run.record.id);
    std::fs::create_dir_all(&directory).expect("created");
    run.record.write(&directory).expect("written");
    let lines = run.epochs.iter().map(|epoch| serde_json::to_string(epoch).expect("JSON") + "\n");
    let recipe = run.recipe.iter().map(|(key, value)| format!("{key} = {value}\n"));
    std::fs::write(directory.join(Run::METRICS), lines.collect::<String>()).expect("written");
    std::fs::write(directory.join(Run::RECIPE), recipe.collect::<String>()).expect("written");
    directory
}
