//! `creditscope sweep status --json`.

use super::place::Place;
use super::status::{next, words};
use crate::show;
use serde_json::{Map, Value, json};
use sweep::{Report, RunState, State};

/// The whole report, on one line.
pub(super) fn report(place: &Place, report: &Report) -> String {
    let counts = State::WORDS.iter().zip(report.counts());
    let counts: Map<String, Value> = counts.map(|(word, n)| ((*word).to_owned(), n.into())).collect();
    let jobs: Vec<u64> = report.submissions.iter().filter_map(|submission| submission.job).collect();
    show::json_object(&[
        ("sweep", place.manifest.sweep.as_str().into()),
        ("name", place.manifest.name.as_str().into()),
        ("folder", place.folder.root().to_string_lossy().into()),
        ("all_done", report.all_done().into()),
        ("counts", Value::Object(counts)),
        ("jobs", jobs.into()),
        ("trouble", report.trouble.as_deref().into()),
        ("next", next(place, report).1.into()),
        ("runs", report.runs.iter().map(run).collect()),
    ])
}

fn run(run: &RunState) -> Value {
    let mut object = json!({
        "id": run.id, "rule": run.rule, "seed": run.seed, "epochs": run.epochs, "state": run.state.word(),
        "words": words(run),
    });
    let mut add = |key: &str, value: Value| {
        object[key] = value;
    };
    match &run.state {
        State::Running { node, epoch, seen, silent } => {
            add("node", node.as_str().into());
            add("epoch", (*epoch).into());
            add("seconds_since_sign_of_life", seen.as_secs().into());
            add("silent", (*silent).into());
        }
        State::Interrupted { epoch } => add("epoch", (*epoch).into()),
        State::Failed { error, node } => {
            add("node", node.as_str().into());
            add("error", error.as_str().into());
        }
        State::Killed { node, epoch, memory_asked, memory_used } => {
            add("node", node.as_str().into());
            add("epoch", (*epoch).into());
            add("memory_asked_mb", (*memory_asked).into());
            add("memory_used_bytes", (*memory_used).into());
        }
        State::Done { .. } | State::Queued { .. } | State::Lost | State::Unknown | State::NotSubmitted => {}
    }
    object
}
