//! The foreign rules that this process knows.

use super::contract::ForeignMaker;
use crate::keys::{KeyKind, RuleKey, Value};
use crate::normalise::NORMALISE;
use crate::{Error, TABLE};
use std::sync::{PoisonError, RwLock};

/// The key that says which version of a foreign rule trained a run.
pub const SOURCE: &str = "rule.source";

/// The value of [`SOURCE`] that no rule has, so that the key is always part of a run's identity.
const NO_SOURCE: &str = "none";

/// A foreign rule. Registered ones stay for the life of the process, as the rules of this crate do.
pub struct Foreign {
    /// Its name in recipes and records.
    pub name: &'static str,
    /// Its version: language and a hash of everything that its credit depends on.
    pub source: &'static str,
    /// Its keys: version, normalisation, parameters.
    pub keys: &'static [RuleKey],
    pub(super) maker: Box<dyn ForeignMaker>,
}

impl std::fmt::Debug for Foreign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.name, self.source)
    }
}

impl PartialEq for Foreign {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

static KNOWN: RwLock<(u64, Vec<&'static Foreign>)> = RwLock::new((0, Vec::new()));

/// Makes a rule known, in place of an earlier version of it. `parameters` are its own keys, such as `gain`, with their defaults;
/// `normalise` is the default of `rule.normalise`, if it is not that of most rules.
///
/// # Errors
/// If the name or a key is taken, or is no word.
pub fn register(
    name: &str,
    source: &str,
    parameters: &[(&str, Value)],
    normalise: Option<&str>,
    maker: Box<dyn ForeignMaker>,
) -> Result<(), Error> {
    let refuse = |problem: String| Err(Error::Register { rule: name.to_owned(), problem });
    if !is_word(name) {
        return refuse("a rule's name is letters, digits and `_`, and begins with a letter".to_owned());
    }
    if record::rules::is_listed(name) {
        return refuse("it is the name of a built-in rule: choose another".to_owned());
    }
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    let source: &'static str = source.to_owned().leak();
    let usual = normalise.map_or(NORMALISE.default, |word| Value::Word(word.to_owned().leak()));
    let normalise = RuleKey { default: usual, ..NORMALISE };
    if !normalise.admits(usual) {
        return refuse(format!(
            "normalise = {usual:?}: choose one of {}",
            record::normalise::NAMES.join(", ")
        ));
    }
    let version = RuleKey {
        name: SOURCE,
        kind: KeyKind::Name,
        default: Value::Word(source),
        neutral: Value::Word(NO_SOURCE),
        help: "Version of a rule that is defined outside of this program.",
    };
    let mut keys = vec![version, normalise];
    for (parameter, default) in parameters {
        if !is_word(parameter) {
            return refuse(format!("`{parameter}` is no name for a parameter: use letters, digits and `_`"));
        }
        let key = parameter_key(parameter, *default);
        let others = known.1.iter().filter(|other| other.name != name).flat_map(|other| other.keys);
        let taken = TABLE.iter().flat_map(|info| info.keys).chain(others);
        let same = |other: &RuleKey| (other.kind, other.help) == (key.kind, key.help);
        if MODIFIERS.contains(&key.name)
            || taken.into_iter().any(|other| other.name == key.name && !same(other))
        {
            return refuse(format!(
                "`{}` is already a key of recipes: give the parameter another name",
                key.name
            ));
        }
        if !is_plain(*default) {
            return refuse(format!(
                "`{parameter}` is {default:?}: a parameter is a finite number, a flag or a short name"
            ));
        }
        keys.push(key);
    }
    let rule = Foreign { name: name.to_owned().leak(), source, keys: keys.leak(), maker };
    // The same version may come from new code; recipes do not notice.
    let same = known.1.iter().any(|old| old.name == name && old.keys == rule.keys);
    known.0 += u64::from(!same);
    known.1.retain(|old| old.name != name);
    known.1.push(Box::leak(Box::new(rule)));
    Ok(())
}

/// The foreign rules, in the order in which they were registered.
pub fn registered() -> Vec<&'static Foreign> {
    KNOWN.read().unwrap_or_else(PoisonError::into_inner).1.clone()
}

/// A number that changes whenever names or keys of foreign rules do.
pub fn generation() -> u64 {
    KNOWN.read().unwrap_or_else(PoisonError::into_inner).0
}

/// The foreign rule of that name.
pub(crate) fn find(name: &str) -> Option<&'static Foreign> {
    registered().into_iter().find(|rule| rule.name == name)
}

/// Keys that every rule has, and the version.
const MODIFIERS: [&str; 8] = [
    "rule.name",
    "rule.frozen",
    "rule.trainable_last",
    "rule.shallow",
    "rule.penalty",
    "rule.random_targets",
    "rule.normalise",
    SOURCE,
];

fn parameter_key(name: &str, default: Value) -> RuleKey {
    let kind = match default {
        Value::Flag(_) => KeyKind::Flag,
        Value::Whole(_) => KeyKind::Whole(i64::MIN, i64::MAX),
        Value::Real(_) => KeyKind::Real(f64::MIN, f64::MAX),
        Value::Word(_) => KeyKind::Name,
    };
    let help = "A parameter of a rule that is defined outside of this program.";
    RuleKey::new(format!("rule.{name}").leak(), kind, default, help)
}

/// Whether a recipe can hold it.
fn is_plain(value: Value) -> bool {
    match value {
        Value::Flag(_) | Value::Whole(_) => true,
        Value::Real(x) => x.is_finite(),
        Value::Word(word) => {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            !word.is_empty() && word.len() <= 100 && word.chars().all(plain) && !word.starts_with('.')
        }
    }
}

fn is_word(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() <= 40 && name.chars().all(plain)
}
