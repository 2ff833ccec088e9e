//! What tells runs apart: rule, seed, or a key of their recipes.

use super::select::Cohort;
use crate::catalogue::Request;
use crate::catalogue::request::power;
use crate::plot::palette::{Look, penalty, rank};
use crate::reader::{Records, Trial};
use crate::text::escape;
use record::nearest;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use toml::Value;

/// The key of λ, whose values have looks of their own.
const PENALTY: &str = "rule.penalty";

/// Something that runs can differ in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::catalogue) enum Field {
    /// The rule with its modifiers.
    Rule,
    Seed,
    /// A key of the recipe, such as `net.blocks`.
    Key(String),
}

/// One side of a split: the value that its trials share, and the trials.
#[derive(Clone)]
pub(super) struct Part<'a> {
    pub(super) value: Value,
    /// Label source.
    pub(super) name: String,
    /// The same along an axis that says what it is of.
    pub(super) at_its_place: String,
    pub(super) look: Look,
    pub(super) cohort: Cohort<'a>,
}

impl Part<'_> {
    /// Whether its value is this word.
    pub(super) fn is(&self, word: &str) -> bool {
        self.value.as_str() == Some(word)
    }
}

impl Field {
    pub(super) fn parse(text: &str) -> Self {
        match text {
            "rule" => Self::Rule,
            "seed" => Self::Seed,
            "network" => Self::Key("net.name".to_owned()),
            "data" => Self::Key("data.name".to_owned()),
            key => Self::Key(key.to_owned()),
        }
    }

    /// Refuses a key that no recipe has.
    pub(super) fn check(&self, records: &Records) -> Result<(), String> {
        let Self::Key(key) = self else { return Ok(()) };
        let recipes = records.trials.iter().filter_map(|trial| trial.keys.as_ref());
        let names: BTreeSet<&str> =
            recipes.flat_map(|keys| keys.recipe().keys()).map(String::as_str).collect();
        if names.contains(key.as_str()) {
            return Ok(());
        }
        let words = ["rule", "seed", "network", "data"];
        let hint = match nearest(key, names.into_iter().chain(words), 3) {
            Some(close) => format!("did you mean `{close}`?"),
            None => "no recipe among the records has it".to_owned(),
        };
        Err(format!("unknown key `{key}`: {hint}"))
    }

    /// A trial's value; none where nothing is known.
    pub(in crate::catalogue) fn of(&self, trial: &Trial) -> Option<Value> {
        match self {
            Self::Rule => Some(Value::String(trial.rule.clone())),
            Self::Seed => trial.seed.and_then(|seed| i64::try_from(seed).ok()).map(Value::Integer),
            Self::Key(key) => trial.keys.as_ref()?.recipe().get(key).cloned(),
        }
    }

    /// Parts with one value each, in the order of legends. Trials without a value are left out.
    pub(super) fn split<'a>(&self, request: &Request, cohort: &[&'a Trial]) -> Vec<Part<'a>> {
        let mut parts: Vec<(Value, Cohort<'a>)> = Vec::new();
        for &trial in cohort {
            let Some(value) = self.of(trial) else { continue };
            match parts.iter_mut().find(|(known, _)| *known == value) {
                Some((_, part)) => part.push(trial),
                None => parts.push((value, vec![trial])),
            }
        }
        parts.sort_by(|(a, _), (b, _)| self.order(&request.records, a, b));
        let count = parts.len();
        let part = |(i, (value, cohort)): (usize, (Value, Cohort<'a>))| {
            let (name, look) = match self {
                Self::Rule => (request.rule(&word(&value)), request.look(&word(&value))),
                Self::Seed => (format!("seed {}", word(&value)), rank(i, count)),
                Self::Key(key) => {
                    let short = key.rsplit_once('.').map_or(key.as_str(), |(_, short)| short);
                    let look = match number(&value) {
                        Some(penalised) if key == PENALTY && penalised > 0.0 => penalty(penalised),
                        _ => rank(i, count),
                    };
                    (format!("{} = {}", escape(short), shown(&value)), look)
                }
            };
            let at_its_place = if matches!(self, Self::Key(_)) { shown(&value) } else { name.clone() };
            Part { value, name, at_its_place, look, cohort }
        };
        parts.into_iter().enumerate().map(part).collect()
    }

    pub(in crate::catalogue) fn order(&self, records: &Records, a: &Value, b: &Value) -> Ordering {
        match (self, number(a), number(b)) {
            (Self::Rule, ..) => {
                let (a, b) = (word(a), word(b));
                records.place(&a).cmp(&records.place(&b))
            }
            (_, Some(a), Some(b)) => a.total_cmp(&b),
            _ => word(a).cmp(&word(b)),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule => f.write_str("rule"),
            Self::Seed => f.write_str("seed"),
            Self::Key(key) => write!(f, "`{key}`"),
        }
    }
}

/// A value as a number, if it is one.
pub(super) fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))
}

/// A value in words, without quotes.
pub(in crate::catalogue) fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A value as label source.
fn shown(value: &Value) -> String {
    number(value).map_or_else(|| escape(&word(value)), |number| format!("${}$", power(number)))
}

/// Whether two values are the same, whichever way a number is written.
pub(in crate::catalogue) fn same(a: &Value, b: &Value) -> bool {
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}
