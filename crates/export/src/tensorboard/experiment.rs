//! Which columns the dashboard HParams has: without this it would show every key and every series.

use super::hparams::{LEFT_OUT, PLUGIN, value};
use crate::event::{Message, Target, Value};
use record::Error;
use std::collections::BTreeMap;
use std::path::Path;
use toml::Value as Key;

type Recipe = BTreeMap<String, Key>;

/// Outcomes that it shows.
const METRICS: [&str; 4] = ["test/accuracy", "test/loss", "network/growth", "network/gradient_n128"];

/// Writes the columns for runs of these recipes: the rule, and every key in which they differ.
pub fn write<'a>(recipes: impl IntoIterator<Item = &'a Recipe>, out: &Path) -> Result<(), Error> {
    let recipes: Vec<&Recipe> = recipes.into_iter().collect();
    let mut keys: Vec<&str> = recipes.iter().flat_map(|recipe| recipe.keys()).map(String::as_str).collect();
    keys.sort_unstable_by_key(|key| (*key != "rule.name", *key));
    keys.dedup();
    keys.retain(|key| *key == "rule.name" || (!LEFT_OUT.contains(key) && differs(&recipes, key)));
    let columns = keys.iter().map(|key| column(&recipes, key));
    let metrics = METRICS.map(|tag| Message::new().message(1, Message::new().bytes(2, tag)));
    let experiment = Message::new().messages(4, columns).messages(5, metrics);
    let content = Message::new().whole(1, 0).message(2, experiment);
    let target = Target::new(out, "experiment");
    let mut events = target.events(0.0);
    events.add(0.0, 0, [Value::of_plugin(PLUGIN, "_hparams_/experiment", content)]);
    target.complete(&events)
}

fn differs(recipes: &[&Recipe], key: &str) -> bool {
    recipes.iter().any(|recipe| recipe.get(key) != recipes[0].get(key))
}

/// `DataType` of the dashboard's protocol.
const STRING: u64 = 1;
const BOOL: u64 = 2;
const NUMBER: u64 = 3;

/// A key with its type, and its values or their range.
fn column(recipes: &[&Recipe], key: &str) -> Message {
    let values: Vec<&Key> = recipes.iter().filter_map(|recipe| recipe.get(key)).collect();
    let number = |value: &&Key| value.as_float().or_else(|| value.as_integer().map(|n| n as f64));
    let numbers: Option<Vec<f64>> = values.iter().map(number).collect();
    let about = Message::new().bytes(1, key).whole(7, u64::from(differs(recipes, key)));
    if let Some(numbers) = numbers {
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        return about.whole(4, NUMBER).message(6, Message::new().double(1, least).double(2, most));
    }
    let mut distinct: Vec<&Key> = Vec::new();
    values.iter().for_each(|value| {
        if !distinct.contains(value) {
            distinct.push(value)
        }
    });
    let kind = if values.iter().all(|value| value.is_bool()) { BOOL } else { STRING };
    about.whole(4, kind).message(5, Message::new().messages(1, distinct.into_iter().map(value)))
}
