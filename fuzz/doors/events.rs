//! Event files of trackers, found in the place where this program is to continue one.

use super::{FOLDER, accepted, file};
use export::event::EventFile;
use export::named;
use export::tensorboard::complete;
use record::Run;
use serde_json::json;
use std::sync::LazyLock;

const NAME: &str = "events.out.tfevents.1.creditscope";

/// A run before its first epoch.
static RUN: LazyLock<Run> = LazyLock::new(|| {
    let record = json!({
        "schema": "creditscope.run/1", "id": "dfa-s1", "rule": "dfa", "status": {"state": "running"}, "drift": null,
        "network": {"name": "lq", "inputs": 1, "width": 1, "blocks": 1, "classes": 1, "parameters": 1},
        "provenance": {"version": "0", "recipe_hash": "r", "data": "lq", "data_hash": "", "seed": 1,
            "machine": {"cpu": "", "cores": 1, "system": ""}, "threads": 1, "started": "2026-01-31T12:00:00Z", "ended": null,
            "resumed": 0},
    });
    let record = serde_json::from_value(record).expect("a record");
    Run { path: "runs/dfa-s1".into(), record, recipe: Default::default(), epochs: Vec::new() }
});

/// The run is the one that the file names as its owner, if it names one.
pub(crate) fn events(bytes: &[u8]) -> bool {
    let found = EventFile::read(bytes);
    let again = EventFile::read(&bytes[..found.sound]);
    let same =
        (again.sound, again.events.len(), again.owner()) == (found.sound, found.events.len(), found.owner());
    assert!(same, "what is sound is read alike without what follows");
    let mut run = RUN.clone();
    run.record.provenance.identity =
        found.owner().and_then(|owner| owner.strip_prefix("run ")).map(str::to_owned);
    let path = file(&format!("events/dfa-s1/{NAME}"), bytes);
    let completed = complete(&named(std::slice::from_ref(&run)), &FOLDER.path().join("events"));
    let after = std::fs::read(path).expect("the file is there");
    match completed {
        Ok(()) => assert!(EventFile::read(&after).owner().is_some(), "whoever accepts a file leaves its own"),
        Err(_) => assert!(after == bytes, "what is refused stays"),
    }
    accepted(&completed, NAME)
}
