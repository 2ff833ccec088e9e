//! What makes two runs the same training: the values of the keys that affect it, and a hash of them that stays valid when the
//! schema grows.
//!
//! Settings for measuring, naming or early stopping do not count: `schema/keys.rs` marks them as outside the identity. A key at its neutral value is left out of the hash, so that a
//! key added later does not change the identity of earlier runs. Of a user's file of data only the name counts, so that it may
//! be moved: every record states the hash of its data as well.

use super::own_data;
use super::schema::Schema;
use super::value::typed;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use toml::Value;

/// Values by dotted key.
type Values = BTreeMap<String, Value>;

/// The settings that affect the training of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    /// Every training key that applies, with a value of the key's type.
    values: Values,
    hash: String,
}

/// Why the training of a record cannot be compared with a recipe of this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Incomparable {
    /// The record was written by a program with more keys.
    #[error("{0} is a key that this program does not know")]
    UnknownKey(String),
    /// A value that no key of this program accepts, or a key that does not apply.
    #[error("{0}")]
    Value(String),
}

impl Identity {
    /// Version of the hashed form.
    const VERSION: u32 = 1;

    /// The identity of a resolved recipe, from this program or from a record. Keys that a record lacks have their neutral
    /// value; unknown keys that only affect measurements are ignored.
    ///
    /// ```
    /// let recipe: toml::Table = "rule.name = 'dfa'\nseed = 1\naudit.every = 3.0".parse()?;
    /// let identity = lab::Identity::of_record(&record::flatten(recipe))?;
    /// let same: toml::Table = "name = 'again'\nrule.name = 'dfa'\nrule.penalty = 0\nseed = 1".parse()?;
    /// assert_eq!(identity, lab::Identity::of_record(&record::flatten(same))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_record(recipe: &BTreeMap<String, Value>) -> Result<Self, Incomparable> {
        Self::under(Schema::today(), recipe.iter().map(|(key, value)| (key.as_str(), value)))
    }

    /// The same with another schema.
    pub fn under<'a>(
        schema: &Schema,
        recipe: impl Iterator<Item = (&'a str, &'a Value)>,
    ) -> Result<Self, Incomparable> {
        let mut values = Values::new();
        for (name, value) in recipe {
            match schema.find(name) {
                Some(key) if key.steers_training => {
                    let value = typed(key, value.clone()).map_err(Incomparable::Value)?;
                    values.insert(name.to_owned(), own_data::without_folder(name, value));
                }
                Some(_) => {}
                None if schema.passes_over(name) => {}
                None => return Err(Incomparable::UnknownKey(name.to_owned())),
            }
        }
        schema.fill_neutral(&mut values, |key| key.steers_training);
        let hash = hash(schema, &values);
        Ok(Self { values, hash })
    }

    /// Version and hash, as written to records.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Whether a record states this identity. A record in another version of the form cannot disagree.
    pub fn agrees_with(&self, stated: &str) -> bool {
        stated == self.hash || !stated.starts_with(&format!("{}:", Self::VERSION))
    }

    /// Every training key that applies, with its value.
    pub fn values(&self) -> &BTreeMap<String, Value> {
        &self.values
    }

    /// The keys in which two identities differ, with both values; `None` for a key that does not apply.
    pub fn differences<'a>(
        &'a self,
        other: &'a Self,
    ) -> Vec<(&'a str, Option<&'a Value>, Option<&'a Value>)> {
        let only = other.values.keys().filter(|key| !self.values.contains_key(*key));
        let mut keys: Vec<&String> = self.values.keys().chain(only).collect();
        keys.sort_unstable();
        let pairs = keys.into_iter().map(|key| (key.as_str(), self.values.get(key), other.values.get(key)));
        pairs.filter(|(_, a, b)| a != b).collect()
    }
}

/// Reduces a record's recipe to what affects training, with the neutral value of each key that it lacks. Frozen baselines are
/// matched by this. A recipe that this program cannot compare is left unchanged.
pub fn training_keys(recipe: &mut Values) {
    if let Ok(identity) = Identity::of_record(recipe) {
        *recipe = identity.values;
    }
}

fn hash(schema: &Schema, values: &Values) -> String {
    let mut text = format!("creditscope.identity/{}\n", Identity::VERSION);
    for (key, value) in values.iter().filter(|(key, value)| schema.neutral(key, values) != Some(*value)) {
        text.push_str(&format!("{key} = {}\n", canonical(value)));
    }
    format!("{}:{}", Identity::VERSION, super::hex(&Sha256::digest(text.as_bytes())))
}

/// A value in a form that does not depend on any library's formatting.
fn canonical(value: &Value) -> String {
    match value {
        // Zero has only one sign.
        Value::Float(x) => format!("{:e}", x + 0.0),
        Value::Integer(x) => x.to_string(),
        Value::Boolean(x) => x.to_string(),
        Value::Array(list) => format!("[{}]", list.iter().map(canonical).collect::<Vec<_>>().join(", ")),
        other => format!("\"{}\"", other.as_str().unwrap_or_default()),
    }
}
