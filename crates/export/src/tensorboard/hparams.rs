//! What the dashboard HParams reads: the recipe of each run, and which runs are seeds of one thing. It shows groups by their
//! mean.

use crate::event::{Message, Value};
use std::collections::BTreeMap;
use toml::Value as Key;

pub(super) const PLUGIN: &str = "hparams";

/// Keys that say nothing about what was trained. Seeds of one group would show the first of theirs as that of all.
pub(super) const LEFT_OUT: [&str; 2] = ["name", "seed"];

/// The recipe of a run, its group and its start.
pub(super) fn session_start(recipe: &BTreeMap<String, Key>, group: &str, wall: f64) -> Value {
    let keys = recipe.iter().filter(|(key, _)| !LEFT_OUT.contains(&key.as_str()));
    let entry = |(key, value): (&String, &Key)| Message::new().bytes(1, key).message(2, self::value(value));
    let start = Message::new().messages(1, keys.map(entry)).bytes(4, group).double(5, wall);
    Value::of_plugin(PLUGIN, "_hparams_/session_start_info", Message::new().whole(1, 0).message(3, start))
}

/// How a run ended, and when.
pub(super) fn session_end(succeeded: bool, wall: f64) -> Value {
    let end = Message::new().whole(1, if succeeded { 1 } else { 2 }).double(2, wall);
    Value::of_plugin(PLUGIN, "_hparams_/session_end_info", Message::new().whole(1, 0).message(4, end))
}

/// A value of a recipe as a `google.protobuf.Value`.
pub(super) fn value(value: &Key) -> Message {
    match value {
        Key::Integer(n) => Message::new().double(2, *n as f64),
        Key::Float(x) => Message::new().double(2, *x),
        Key::Boolean(is) => Message::new().whole(4, u64::from(*is)),
        Key::String(text) => Message::new().bytes(3, text),
        other => Message::new().bytes(3, other.to_string()),
    }
}
