//! All keys, with their presets as values.

use super::key::{Key, Kind, Preset};
use super::{keys, rule_keys};
use crate::nearest;
use crate::recipe::rule;
use crate::recipe::value::typed;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use toml::Value;

/// Values of a record by dotted key.
type Record = BTreeMap<String, Value>;

/// Every key of a recipe, in the order of the template.
#[derive(Debug)]
pub struct Schema {
    keys: Vec<Key>,
    /// The default and the neutral value of each key.
    presets: Vec<[Values; 2]>,
}

/// A parsed preset.
#[derive(Debug)]
enum Values {
    Always(Value),
    By(&'static str, Vec<(&'static str, Value)>),
}

/// The schema of this moment, and the [`rules::generation`] that it belongs to.
static TODAY: Mutex<Option<(u64, &'static Schema)>> = Mutex::new(None);

fn build() -> Schema {
    let names: &'static [&'static str] = rule::names().leak();
    let named =
        |key: &Key| if key.name == "rule.name" { Key { kind: Kind::Word(names), ..*key } } else { *key };
    let choice: Vec<Key> = rule_keys::RULE.iter().map(named).collect();
    let declared = rule::keys();
    let before = [keys::DATA, keys::NETWORK, &choice, &declared];
    let after = [keys::TRAINING, keys::MEASUREMENT, keys::SEED];
    Schema::new([before.concat(), after.concat()].concat())
}

impl Schema {
    /// The keys of this program and of the rules that are registered now. Earlier schemas stay valid.
    pub fn today() -> &'static Self {
        let generation = rules::generation();
        let mut today = TODAY.lock().unwrap_or_else(PoisonError::into_inner);
        match *today {
            Some((built, schema)) if built == generation => schema,
            _ => today.insert((generation, Box::leak(Box::new(build())))).1,
        }
    }

    /// A schema of these keys. A key that others depend on must have one default everywhere.
    ///
    /// # Panics
    /// If a preset is not a valid value of its key.
    pub fn new(keys: Vec<Key>) -> Self {
        let presets = keys.iter().map(|key| [values(key, key.default), values(key, key.neutral)]).collect();
        Self { keys, presets }
    }

    /// The keys.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The key of that name.
    pub fn find(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The default of a key; `word` gives the values of the others. `None` if the key does not apply.
    pub fn default<'a>(&'a self, name: &str, word: impl Fn(&str) -> Option<&'a str>) -> Option<&'a Value> {
        self.preset(name, 0, word)
    }

    /// The program's behaviour before the key existed.
    pub(in crate::recipe) fn neutral<'a>(&'a self, name: &str, values: &'a Record) -> Option<&'a Value> {
        self.preset(name, 1, |selector| values.get(selector).and_then(Value::as_str))
    }

    /// Gives keys that a record lacks their neutral value.
    pub(in crate::recipe) fn fill_neutral(&self, values: &mut Record, wanted: impl Fn(&Key) -> bool) {
        // Keys that others depend on have a fixed neutral value, so two rounds are enough.
        for _ in 0..2 {
            for key in self
                .keys
                .iter()
                .filter(|key| wanted(key) && !values.contains_key(key.name))
                .collect::<Vec<_>>()
            {
                if let Some(neutral) = self.neutral(key.name, values).cloned() {
                    values.insert(key.name.to_owned(), neutral);
                }
            }
        }
    }

    /// Whether a record's key is unknown here but can be ignored: its section does not affect training.
    pub(in crate::recipe) fn passes_over(&self, name: &str) -> bool {
        let section = name.split_once('.').map(|(section, _)| section);
        let mut keys = self.keys.iter().filter(|key| key.section() == section).peekable();
        let aside = section.is_some() && keys.peek().is_some() && keys.all(|key| !key.steers_training);
        aside && self.find(name).is_none()
    }

    fn preset<'a>(
        &'a self,
        name: &str,
        which: usize,
        word: impl Fn(&str) -> Option<&'a str>,
    ) -> Option<&'a Value> {
        let index = self.keys.iter().position(|key| key.name == name)?;
        match &self.presets[index][which] {
            Values::Always(value) => Some(value),
            Values::By(selector, values) => {
                let word = word(selector)?;
                values.iter().find(|(name, _)| covers(name, word)).map(|(_, value)| value)
            }
        }
    }

    /// Whether a section of this name exists.
    pub(in crate::recipe) fn is_section(&self, name: &str) -> bool {
        self.keys.iter().any(|key| key.section() == Some(name))
    }

    /// The known section closest to a misspelt one, if any is similar.
    pub(in crate::recipe) fn section_like(&self, name: &str) -> Option<&'static str> {
        nearest(name, self.keys.iter().filter_map(Key::section), 2)
    }

    /// The known name closest to a misspelt one, if any is similar. A bare last part also counts: `lr` is `optim.lr`.
    pub(in crate::recipe) fn suggestion(&self, name: &str) -> Option<&'static str> {
        if let Some(key) = self.keys.iter().find(|key| key.short() == name) {
            return Some(key.name);
        }
        nearest(name, self.keys.iter().map(|key| key.name), 3)
    }
}

/// Whether a listed word stands for this one; `.npz` stands for every name with that ending.
fn covers(listed: &str, word: &str) -> bool {
    listed == word || (listed.starts_with('.') && word.ends_with(listed))
}

fn values(key: &Key, preset: Preset) -> Values {
    let value = |text: &str| {
        let table: toml::Table = format!("v = {text}").parse().expect("presets are TOML");
        typed(key, table["v"].clone()).expect("presets have the type of their key")
    };
    match preset {
        Preset::Always(text) => Values::Always(value(text)),
        Preset::By(selector, all) => {
            Values::By(selector, all.iter().map(|(word, text)| (*word, value(text))).collect())
        }
    }
}
