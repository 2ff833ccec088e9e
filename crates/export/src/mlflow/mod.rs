//! Runs sent to a tracking server of MLflow.
//!
//! A run is known on the server by what it trained on and how, so that sending it again adds what is new. Undefined values and
//! such as are not finite are not sent.

mod batches;
mod error;
mod server;
mod there;

pub use error::Error;
pub use server::Server;

use crate::Named;
use crate::clock::{Clock, seconds};
use batches::{metrics, millis};
use record::{Run, Status};
use serde_json::{Value, json};
use there::There;
use toml::Value as Key;

/// What became of the runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Runs that the server did not have.
    pub new: usize,
    /// Runs that it had, and lacked epochs of.
    pub continued: usize,
    /// Runs that it had.
    pub there: usize,
    /// Where they can be looked at.
    pub page: String,
}

/// Parameters of one request, by the limits of the server.
const PARAMS: usize = 100;

/// Sends runs to an experiment. `verdict` says what is known of a run's audit; `done` is called after each.
pub fn send(
    server: &Server,
    experiment: &str,
    runs: &[Named<'_>],
    verdict: impl Fn(&Run) -> Option<String>,
    mut done: impl FnMut(&str),
) -> Result<Sent, Error> {
    let experiment = there::experiment(server, experiment)?;
    let mut sent = Sent { page: server.page(&format!("experiments/{experiment}")), ..Sent::default() };
    for named in runs {
        let key = named.key();
        let found = there::run(server, &experiment, &key)?;
        let count = match &found {
            None => &mut sent.new,
            Some(there) if there.epochs < named.run.epochs.len() => &mut sent.continued,
            Some(_) => &mut sent.there,
        };
        *count += 1;
        let there = found.map_or_else(|| create(server, &experiment, named, &key), Ok)?;
        complete(server, named, &there, verdict(named.run))?;
        done(&named.name);
    }
    Ok(sent)
}

fn create(server: &Server, experiment: &str, named: &Named<'_>, key: &str) -> Result<There, Error> {
    let tags = pairs([(there::KEY, key.to_owned())]);
    let start = millis(Clock::of(&named.run.record).now());
    let body =
        json!({"experiment_id": experiment, "run_name": named.name, "start_time": start, "tags": tags});
    let id = server.post("runs/create", &body)?.text("/run/info/run_id")?;
    Ok(There { id, epochs: 0, params: Default::default() })
}

/// Sends what a run on the server lacks.
fn complete(server: &Server, named: &Named<'_>, there: &There, verdict: Option<String>) -> Result<(), Error> {
    let run = named.run;
    let plain = |value: &Key| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let missing = run.recipe.iter().filter(|(key, _)| !there.params.contains(*key));
    let params: Vec<Value> = missing.map(|(key, value)| json!({"key": key, "value": plain(value)})).collect();
    for params in params.chunks(PARAMS) {
        server.post("runs/log-batch", &json!({"run_id": there.id, "params": params}))?;
    }
    for batch in batches::of(&metrics(run, there.epochs)) {
        let tags = pairs([(there::EPOCHS, batch.epochs.to_string())]);
        let tags = if batch.is_whole { tags } else { Vec::new() };
        server
            .post("runs/log-batch", &json!({"run_id": there.id, "metrics": batch.metrics, "tags": tags}))?;
    }
    let from = &run.record.provenance;
    let known = [
        ("group", Some(named.group.clone())),
        ("rule", Some(run.record.rule.clone())),
        ("network", Some(run.record.network.name.clone())),
        ("version", Some(from.version.clone())),
        ("recipe_hash", Some(from.recipe_hash.clone())),
        ("data_hash", Some(from.data_hash.clone())),
        ("verdict", verdict),
    ];
    let known = known.into_iter().filter_map(|(name, value)| Some((format!("creditscope.{name}"), value?)));
    server.post("runs/log-batch", &json!({"run_id": there.id, "tags": pairs(known)}))?;
    server.post("runs/update", &ending(run, &there.id))?;
    Ok(())
}

/// How the run ended, if it did.
fn ending(run: &Run, id: &str) -> Value {
    let status = match run.record.status {
        Status::Running => return json!({"run_id": id, "status": "RUNNING"}),
        Status::Interrupted => "KILLED",
        Status::Finished | Status::Halted { .. } => "FINISHED",
        Status::Stopped { .. } => "FAILED",
    };
    let ended = run.record.provenance.ended.as_deref().and_then(seconds).map(millis);
    json!({"run_id": id, "status": status, "end_time": ended})
}

fn pairs<K: Into<String>>(pairs: impl IntoIterator<Item = (K, String)>) -> Vec<Value> {
    pairs.into_iter().map(|(key, value)| json!({"key": key.into(), "value": value})).collect()
}
