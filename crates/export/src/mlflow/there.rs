//! What the server has already: the experiment, and each run by a tag that holds its identity.

use super::{Error, Server};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The tag that holds a run's identity.
pub(super) const KEY: &str = "creditscope.run";
/// The tag that says how many epochs were sent.
pub(super) const EPOCHS: &str = "creditscope.epochs";

/// A run on the server.
pub(super) struct There {
    pub(super) id: String,
    /// Epochs that it has.
    pub(super) epochs: usize,
    /// Parameters that it has; they cannot be changed.
    pub(super) params: BTreeSet<String>,
}

/// The number of the experiment, which is made where there is none.
pub(super) fn experiment(server: &Server, name: &str) -> Result<String, Error> {
    if let Some(found) = server.get("experiments/get-by-name", ("experiment_name", name))? {
        if found.value.pointer("/experiment/lifecycle_stage").is_some_and(|stage| stage == "deleted") {
            return Err(Error::Deleted { name: name.to_owned() });
        }
        return found.text("/experiment/experiment_id");
    }
    server.post("experiments/create", &json!({"name": name}))?.text("/experiment_id")
}

/// The run with this key, if it was sent before.
pub(super) fn run(server: &Server, experiment: &str, key: &str) -> Result<Option<There>, Error> {
    let filter = format!("tags.`{KEY}` = '{key}'");
    let body = json!({"experiment_ids": [experiment], "filter": filter, "max_results": 1});
    let answer = server.post("runs/search", &body)?;
    if answer.value.pointer("/runs/0").is_none() {
        return Ok(None);
    }
    let pairs = |place: &str| {
        let list = answer.value.pointer(place).and_then(Value::as_array).cloned().unwrap_or_default();
        let pair = |pair: Value| Some((pair["key"].as_str()?.to_owned(), pair["value"].as_str()?.to_owned()));
        list.into_iter().filter_map(pair).collect::<Vec<_>>()
    };
    let epochs = pairs("/runs/0/data/tags").into_iter().find(|(key, _)| key == EPOCHS);
    Ok(Some(There {
        id: answer.text("/runs/0/info/run_id")?,
        epochs: epochs.and_then(|(_, n)| n.parse().ok()).unwrap_or(0),
        params: pairs("/runs/0/data/params").into_iter().map(|(key, _)| key).collect(),
    }))
}
