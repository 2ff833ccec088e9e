//! Reads the tables of a figure file key by key, and says where something is wrong.

use super::keys::Key;
use super::parse::CompositionError;
use record::{escape, nearest};
use serde::Deserialize;
use std::ops::RangeInclusive;
use toml::Value;
use toml::de::{DeTable, ValueDeserializer};

/// The text of a file, for places in it.
pub(in crate::catalogue) struct Lines<'a> {
    pub(in crate::catalogue) text: &'a str,
    pub(in crate::catalogue) origin: &'a str,
}

impl Lines<'_> {
    fn place(&self, at: usize) -> String {
        format!("{}:{}", self.origin, 1 + self.text[..at].matches('\n').count())
    }

    pub(in crate::catalogue) fn error(&self, at: usize, message: String) -> CompositionError {
        CompositionError { place: self.place(at), message }
    }
}

/// A table, all keys of which are known.
pub(in crate::catalogue) struct Section<'a, 'i> {
    lines: &'a Lines<'a>,
    table: &'a DeTable<'i>,
    at: usize,
    keys: Vec<&'static Key>,
}

impl<'a, 'i> Section<'a, 'i> {
    /// The table that begins at `at`. Its keys are of the list, or that of the tables within it.
    pub(in crate::catalogue) fn checked(
        lines: &'a Lines<'a>,
        table: &'a DeTable<'i>,
        at: usize,
        keys: &[&'static [Key]],
        inner: Option<&'static str>,
    ) -> Result<Self, CompositionError> {
        let keys: Vec<&'static Key> = keys.iter().copied().flatten().collect();
        let names = || keys.iter().map(|key| key.name).chain(inner);
        for key in table.keys() {
            let name = escape::visible(key.get_ref());
            if !names().any(|known| known == name) {
                let hint = match nearest(&name, names(), 2) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
                };
                return Err(lines.error(key.span().start, format!("unknown key `{name}`: {hint}")));
            }
        }
        Ok(Self { lines, table, at, keys })
    }

    pub(super) fn place(&self) -> String {
        self.lines.place(self.at)
    }

    pub(super) fn error(&self, message: String) -> CompositionError {
        self.lines.error(self.at, message)
    }

    /// The entry of a key of the list, with or without a value.
    pub(in crate::catalogue) fn get(&self, name: &str) -> Entry<'a> {
        let key = self.keys.iter().copied().find(|key| key.name == name).expect("a key of the list");
        let found = self.table.iter().find(|(known, _)| known.get_ref() == name);
        let value =
            found.and_then(|(_, value)| Value::deserialize(ValueDeserializer::from(value.clone())).ok());
        let at = found.map_or(self.at, |(known, _)| known.span().start);
        Entry { lines: self.lines, key, at, value: value.map(escape::toml_value) }
    }

    /// The tables of an array, with their places.
    pub(super) fn tables(&self, name: &str) -> Result<Vec<(usize, &'a DeTable<'i>)>, CompositionError> {
        let Some((key, value)) = self.table.iter().find(|(known, _)| known.get_ref() == name) else {
            return Ok(Vec::new());
        };
        let wrong =
            || self.lines.error(key.span().start, format!("write `{name}` as [[{name}]], one for each"));
        let table = |value: &'a toml::Spanned<toml::de::DeValue<'i>>| {
            Ok((value.span().start, value.get_ref().as_table().ok_or_else(wrong)?))
        };
        value.get_ref().as_array().ok_or_else(wrong)?.iter().map(table).collect()
    }
}

/// A key and the value that the file gives it, if any.
pub(in crate::catalogue) struct Entry<'a> {
    lines: &'a Lines<'a>,
    key: &'static Key,
    at: usize,
    pub(in crate::catalogue) value: Option<Value>,
}

impl Entry<'_> {
    pub(in crate::catalogue) fn place(&self) -> String {
        self.lines.place(self.at)
    }

    pub(in crate::catalogue) fn error(&self, message: String) -> CompositionError {
        self.lines.error(self.at, message)
    }

    /// What the key takes.
    pub(super) fn meaning(&self) -> String {
        format!("`{}` takes {}", self.key.name, self.key.meaning)
    }

    fn read<T>(&self, what: &str, read: impl Fn(&Value) -> Option<T>) -> Result<Option<T>, CompositionError> {
        let Some(value) = &self.value else { return Ok(None) };
        let wrong = || self.error(format!("`{}` takes {what}, not {value}", self.key.name));
        read(value).map(Some).ok_or_else(wrong)
    }

    pub(super) fn word(&self) -> Result<Option<String>, CompositionError> {
        self.read("a text in quotes", |value| value.as_str().map(str::to_owned))
    }

    pub(super) fn flag(&self) -> Result<Option<bool>, CompositionError> {
        self.read("true or false", Value::as_bool)
    }

    pub(super) fn number(&self, within: RangeInclusive<f64>) -> Result<Option<f64>, CompositionError> {
        let what = format!("a number from {} to {}", within.start(), within.end());
        self.read(&what, |value| super::field::number(value).filter(|n| within.contains(n)))
    }

    pub(super) fn numbers(&self) -> Result<Option<Vec<f64>>, CompositionError> {
        let finite = |value: &Value| super::field::number(value).filter(|n| n.is_finite());
        self.read("a list of numbers", |value| value.as_array()?.iter().map(finite).collect())
    }

    /// A list, or a single value as one.
    pub(super) fn list(&self) -> Vec<Value> {
        match &self.value {
            Some(Value::Array(values)) => values.clone(),
            single => single.iter().cloned().collect(),
        }
    }

    /// The meaning of one of these words.
    pub(super) fn one_of<T: Copy>(&self, words: &[(&'static str, T)]) -> Result<Option<T>, CompositionError> {
        let Some(word) = self.word()? else { return Ok(None) };
        if let Some((_, meaning)) = words.iter().find(|(known, _)| *known == word) {
            return Ok(Some(*meaning));
        }
        let hint = match nearest(&word, words.iter().map(|(known, _)| *known), 2) {
            Some(close) => format!("did you mean \"{close}\"?"),
            None => self.meaning(),
        };
        Err(self.error(format!("`{}` has no \"{word}\": {hint}", self.key.name)))
    }
}
