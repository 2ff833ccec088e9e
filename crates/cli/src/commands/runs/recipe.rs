//! Resolved recipes compared with the defaults and with one another.

use lab::{Recipe, Schema};
use record::Run;
use toml::Value;

/// A key with its value and, where this program has one, its default.
pub(super) struct Departure<'a> {
    pub(super) key: &'a str,
    pub(super) value: &'a Value,
    pub(super) default: Option<Value>,
}

/// The keys that are not at their defaults, in the order of recipes.
pub(super) fn departures(run: &Run) -> Vec<Departure<'_>> {
    let departure = |key| {
        let value = run.key(key)?;
        let default = default(key, run).cloned();
        let departs = default.as_ref().is_none_or(|default| !equal(default, value));
        departs.then_some(Departure { key, value, default })
    };
    keys(&[run]).into_iter().filter_map(departure).collect()
}

/// The run with the neutral value of each key that its recipe lacks: what held before the key existed. One that this program
/// cannot resolve stays as it is written.
pub(super) fn completed(mut run: Run) -> Run {
    let resolved = Recipe::of_record(&run.recipe, Run::RECIPE).and_then(|recipe| recipe.runs());
    let whole = resolved.ok().and_then(|specs| specs.first()?.recipe.parse().ok());
    for (key, value) in whole.map(record::flatten).unwrap_or_default() {
        run.recipe.entry(key).or_insert(value);
    }
    run
}

/// The keys in which two runs differ, with the value in each; a key that does not apply there has none.
pub(super) fn differences<'a>(
    a: &'a Run,
    b: &'a Run,
) -> Vec<(&'a str, Option<&'a Value>, Option<&'a Value>)> {
    let both = keys(&[a, b]).into_iter().map(|key| (key, a.key(key), b.key(key)));
    both.filter(|(_, a, b)| a != b).collect()
}

/// The keys that do not have one value in all of these runs.
pub(crate) fn differing<'a>(runs: &[&'a Run]) -> Vec<&'a str> {
    let differs = |key: &&str| runs.iter().any(|run| run.key(key) != runs[0].key(key));
    keys(runs).into_iter().filter(differs).collect()
}

/// Every key of these runs: those that this program knows in its order, then the others by name.
fn keys<'a>(runs: &[&'a Run]) -> Vec<&'a str> {
    let known = Schema::today().keys();
    let place = |key: &str| known.iter().position(|known| known.name == key).unwrap_or(known.len());
    let mut keys: Vec<&str> = runs.iter().flat_map(|run| run.recipe.keys()).map(String::as_str).collect();
    keys.sort_by_key(|key| (place(key), *key));
    keys.dedup();
    keys
}

/// What a key holds where a recipe like this one is silent about it.
fn default<'a>(key: &str, run: &'a Run) -> Option<&'a Value> {
    Schema::today().default(key, |selector| run.key(selector).and_then(Value::as_str))
}

/// Whole numbers serve as real ones in recipes.
fn equal(a: &Value, b: &Value) -> bool {
    let real = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|i| i as f64));
    a == b || real(a).is_some_and(|x| real(b) == Some(x))
}
