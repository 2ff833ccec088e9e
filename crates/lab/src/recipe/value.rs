//! A value checked against its key.

use super::schema::{Key, Kind};
use crate::nearest;
use data::DataSpec;
use toml::Value;

/// Checks a single value against its key; whole numbers are accepted as real ones.
pub(super) fn typed(key: &Key, value: Value) -> Result<Value, String> {
    let wrong = |wanted: String| {
        Err(format!("`{}` is {} ({}): it must be {wanted}", key.name, show(&value), value.type_str()))
    };
    match (key.kind, &value) {
        (Kind::Flag, Value::Boolean(_)) => Ok(value),
        (Kind::Flag, _) => wrong("true or false".to_owned()),
        (Kind::Whole(low, high), Value::Integer(x)) if (low..=high).contains(x) => Ok(value),
        (Kind::Whole(low, i64::MAX), _) => wrong(format!("a whole number from {low} up")),
        (Kind::Whole(low, high), _) => wrong(format!("a whole number from {low} to {high}")),
        (Kind::Real(low, high), Value::Float(_) | Value::Integer(_))
            if within(&value, low, high).is_some() =>
        {
            Ok(Value::Float(within(&value, low, high).unwrap_or_default()))
        }
        (Kind::Real(low, high), _) if low > 0.0 && high == f64::MAX => wrong("a number above 0".to_owned()),
        (Kind::Real(low, high), _) => wrong(format!("a number from {low} to {high}")),
        (Kind::Word(words), Value::String(word)) if words.contains(&word.as_str()) => Ok(value),
        (Kind::Word(words), _) => {
            let close = close_word(words, &value);
            let own = "; a rule written in Python is run from there";
            let own = if key.name == "rule.name" && close.is_empty() { own } else { "" };
            wrong(format!("one of {}{close}{own}", words.join(", ")))
        }
        (Kind::WordOrFile(words), Value::String(word))
            if words.contains(&word.as_str()) || DataSpec::is_file(word) =>
        {
            Ok(value)
        }
        (Kind::WordOrFile(words), _) => {
            let close = close_word(words, &value);
            wrong(format!("one of {}, or the path of an .npz file{close}", words.join(", ")))
        }
        (Kind::Words(words), Value::Array(list)) => match list.iter().find(|word| !is_one_of(words, word)) {
            None => Ok(value),
            Some(_) => wrong(format!("a list of any of {}", words.join(", "))),
        },
        (Kind::Words(words), Value::String(_)) if is_one_of(words, &value) => Ok(Value::Array(vec![value])),
        (Kind::Words(words), _) => wrong(format!("a list of any of {}", words.join(", "))),
        (Kind::Name, Value::String(name)) if is_name(name) => Ok(value),
        (Kind::Name, _) => wrong("a short name of letters, digits, `-`, `_` and `.`".to_owned()),
    }
}

fn is_one_of(words: &[&str], value: &Value) -> bool {
    value.as_str().is_some_and(|word| words.contains(&word))
}

/// Suggests the word that was probably meant, if one is similar.
fn close_word(words: &[&str], value: &Value) -> String {
    let lower = value.as_str().unwrap_or_default().to_lowercase();
    let close = nearest(&lower, words.iter().copied(), 2.min(lower.len().saturating_sub(1)));
    close.map(|word| format!("; did you mean `{word}`?")).unwrap_or_default()
}

fn within(value: &Value, low: f64, high: f64) -> Option<f64> {
    let x = value.as_float().or_else(|| value.as_integer().map(|i| i as f64))?;
    (low..=high).contains(&x).then_some(x)
}

fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && name.len() <= 100 && name.chars().all(plain) && !name.starts_with('.')
}

fn show(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{text}`"),
        Value::Table(_) => "a table".to_owned(),
        other => other.to_string(),
    }
}
