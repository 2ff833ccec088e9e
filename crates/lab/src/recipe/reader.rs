//! Reads the values of one run's keys.

use super::expand::Choice;
use toml::Value;

/// Reads checked values; the schema guarantees that they exist and have the right type.
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
