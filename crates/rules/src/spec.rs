//! A rule and the settings of its keys.

use crate::catalogue::{definition, info};
use crate::foreign::{Foreign, find};
use crate::{Error, Formula, RuleKey, Value};
use nn::Net;

/// A rule with a value for each of its keys.
///
/// ```
/// use rules::{RuleSpec, Value};
/// let spec = RuleSpec::with("kolen_pollack", &[("rule.decay", Value::Real(0.1))])?;
/// assert_eq!((spec.name.as_str(), spec.real("rule.decay")), ("kolen_pollack", 0.1));
/// assert_eq!(RuleSpec::from("kolen_pollack").real("rule.decay"), 0.15);
/// assert!(RuleSpec::with("dfa", &[("rule.decay", Value::Real(0.1))]).is_err());
/// # Ok::<(), rules::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RuleSpec {
    /// The name of the rule.
    pub name: String,
    /// Values by key, in the order of the rule's keys.
    values: Vec<Value>,
    foreign: Option<&'static Foreign>,
}

/// The rule with its defaults. An unknown name is an error when the rule is built.
impl From<&str> for RuleSpec {
    fn from(name: &str) -> Self {
        let foreign = find(name);
        let keys = keys_of(name, foreign);
        Self { name: name.to_owned(), values: keys.iter().map(|key| key.default).collect(), foreign }
    }
}

impl RuleSpec {
    /// The rule with these values in place of the defaults.
    pub fn with(name: &str, settings: &[(&str, Value)]) -> Result<Self, Error> {
        let mut spec = Self::from(name);
        if info(name).is_none() && spec.foreign.is_none() {
            return Err(Error::Unknown { name: spec.name });
        }
        for &(key, value) in settings {
            spec.set(key, value)?;
        }
        Ok(spec)
    }

    /// Sets a key.
    pub fn set(&mut self, key: &str, value: Value) -> Result<(), Error> {
        let place = self.keys().iter().position(|known| known.name == key && known.admits(value));
        let Some(place) = place else {
            let rule = self.name.clone();
            let key = key.to_owned();
            return Err(Error::Setting { rule, key, value: format!("{value:?}") });
        };
        self.values[place] = value;
        Ok(())
    }

    /// The keys of the rule.
    pub fn keys(&self) -> &'static [RuleKey] {
        keys_of(&self.name, self.foreign)
    }

    /// The foreign rule that it names, if it is one.
    pub(crate) fn foreign(&self) -> Option<&'static Foreign> {
        self.foreign
    }

    /// The formula of its credit, for an audit that recomputes it; `None` if it has none.
    pub fn formula(&self) -> Option<Formula> {
        definition::<f32, Net>(&self.name).and_then(|definition| (definition.formula)(self))
    }

    /// The value of one of the rule's keys.
    pub(crate) fn value(&self, key: &str) -> Value {
        let place = self.keys().iter().position(|known| known.name == key);
        self.values[place.unwrap_or_else(|| panic!("{} has no key {key}", self.name))]
    }

    /// The value of a flag.
    pub fn flag(&self, key: &str) -> bool {
        match self.value(key) {
            Value::Flag(value) => value,
            other => panic!("{key} is {other:?}, not a flag"),
        }
    }

    /// The value of a whole number that is a count.
    pub fn size(&self, key: &str) -> usize {
        match self.value(key) {
            Value::Whole(value) => {
                usize::try_from(value).unwrap_or_else(|_| panic!("{key} is {value}, too large for a count"))
            }
            other => panic!("{key} is {other:?}, not a whole number"),
        }
    }

    /// The value of a number.
    pub fn real(&self, key: &str) -> f64 {
        match self.value(key) {
            Value::Real(value) => value,
            other => panic!("{key} is {other:?}, not a number"),
        }
    }

    /// The value of a word.
    pub fn word(&self, key: &str) -> &'static str {
        match self.value(key) {
            Value::Word(value) => value,
            other => panic!("{key} is {other:?}, not a word"),
        }
    }
}

fn keys_of(name: &str, foreign: Option<&'static Foreign>) -> &'static [RuleKey] {
    info(name).map(|info| info.keys).or(foreign.map(|rule| rule.keys)).unwrap_or_default()
}
