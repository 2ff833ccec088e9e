//! Reading the values of one choice of keys, and naming the run that they make.

use super::expand::Choice;
use super::schema::Schema;
use toml::Value;

/// Reads checked values; the schema guarantees that they are there and of the right type.
pub(super) struct Reader<'a>(pub(super) &'a Choice);

impl Reader<'_> {
    pub(super) fn whole(&self, key: &str) -> i64 {
        self.0.get(key).and_then(Value::as_integer).unwrap_or_else(|| panic!("{key} is a whole number"))
    }
    pub(super) fn size(&self, key: &str) -> usize {
        usize::try_from(self.whole(key)).unwrap_or_else(|_| panic!("{key} is a count"))
    }
    pub(super) fn real(&self, key: &str) -> f64 {
        self.0.get(key).and_then(Value::as_float).unwrap_or_else(|| panic!("{key} is a number"))
    }
    pub(super) fn flag(&self, key: &str) -> bool {
        self.0.get(key).and_then(Value::as_bool).unwrap_or(false)
    }
    pub(super) fn word(&self, key: &str) -> &str {
        self.0.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("{key} is a word"))
    }
    pub(super) fn words(&self, key: &str) -> Vec<String> {
        let list = self.0.get(key).and_then(Value::as_array).unwrap_or_else(|| panic!("{key} is a list"));
        list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

/// Keys that a run's name states in a form of their own.
const NAMED: [&str; 7] = [
    "seed",
    "rule.name",
    "rule.frozen",
    "rule.shallow",
    "rule.random_targets",
    "rule.trainable_last",
    "rule.penalty",
];

/// `dfa-frozen-s42`, `dfa-pen0.01-s1`, `bp-lr0.0003-s42`: the rule and its modifiers, whatever else is swept, the
/// seed.
pub(super) fn id(schema: &Schema, choice: &Choice, swept: &[&str]) -> String {
    let read = Reader(choice);
    let mut parts = vec![read.word("rule.name").to_owned()];
    for (key, word) in
        [("rule.frozen", "frozen"), ("rule.shallow", "shallow"), ("rule.random_targets", "random")]
    {
        if read.flag(key) {
            parts.push(word.to_owned());
        }
    }
    if read.whole("rule.trainable_last") >= 0 {
        parts.push(format!("last{}", read.whole("rule.trainable_last")));
    }
    if read.real("rule.penalty") != 0.0 {
        parts.push(format!("pen{}", read.real("rule.penalty")));
    }
    for key in schema.keys().iter().map(|key| key.name) {
        if swept.contains(&key) && !NAMED.contains(&key) && choice.contains_key(key) {
            let name = key.rsplit('.').next().unwrap_or(key);
            parts.push(match &choice[key] {
                Value::String(word) => word.clone(),
                Value::Boolean(true) => name.to_owned(),
                Value::Boolean(false) => format!("no-{name}"),
                Value::Array(words) => {
                    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                    format!("{name}{}", words.join("+"))
                }
                value => format!("{name}{value}"),
            });
        }
    }
    parts.push(format!("s{}", read.whole("seed")));
    parts.join("-")
}
