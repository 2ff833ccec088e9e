//! From TOML text and `--set` to settings whose types are right.

use super::schema::{Key, Kind};
use crate::Error;
use std::ops::Range;
use toml::Value;
use toml::de::{DeTable, DeValue};

/// A key's values, more than one where it was given as a list, and where it was said.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) key: &'static Key,
    pub(super) values: Vec<Value>,
    pub(super) place: String,
}

/// What a recipe's text says: settings for all runs, and for each entry of `[[runs]]` those of its own.
pub(super) struct Parsed {
    pub(super) common: Vec<Setting>,
    pub(super) parts: Vec<Vec<Setting>>,
}

/// The array of tables whose entries are recipes of their own, all with the settings above them.
const PARTS: &str = "runs";

/// Reads a recipe's text.
pub(super) fn recipe(text: &str, origin: &str) -> Result<Parsed, Error> {
    let line = |span: Range<usize>| format!("{origin}:{}", 1 + text[..span.start].matches('\n').count());
    let broken = |e: toml::de::Error| Error::Recipe {
        place: e.span().map_or_else(|| origin.to_owned(), line),
        message: format!("not TOML: {}", e.message()),
    };
    let spans = DeTable::parse(text).map_err(broken)?;
    let table: toml::Table = text.parse().map_err(broken)?;
    let (mut common, mut parts) = (Vec::new(), Vec::new());
    let spans = spans.get_ref();
    walk("", spans, &table, &line, &mut common)?;
    for (key, spanned) in spans.iter().filter(|(key, _)| key.get_ref() == PARTS) {
        let place = || line(key.span());
        let message = || format!("`{PARTS}` is written as [[{PARTS}]], one for each group of runs");
        let wrong = || Error::Recipe { place: place(), message: message() };
        let (DeValue::Array(spans), Some(Value::Array(tables))) = (spanned.get_ref(), table.get(PARTS))
        else {
            return Err(wrong());
        };
        for (spans, values) in spans.iter().zip(tables) {
            let (DeValue::Table(spans), Value::Table(values)) = (spans.get_ref(), values) else {
                return Err(wrong());
            };
            if values.contains_key(PARTS) {
                return Err(wrong());
            }
            let mut part = Vec::new();
            walk("", spans, values, &line, &mut part)?;
            if let Some(inner) = part.iter().find(|setting| setting.key.name == "name") {
                let message =
                    "`name` belongs to the whole recipe: put it above the first [[runs]]".to_owned();
                return Err(Error::Recipe { place: inner.place.clone(), message });
            }
            parts.push(part);
        }
    }
    Ok(Parsed { common, parts })
}

/// Keys that older recipes have and that change nothing any more: batches are shared by threads without a trace.
const RETIRED: [&str; 1] = ["train.chunks"];

/// The same tree twice: one knows the places, the other the values.
fn walk(
    prefix: &str,
    spans: &DeTable<'_>,
    table: &toml::Table,
    line: &dyn Fn(Range<usize>) -> String,
    settings: &mut Vec<Setting>,
) -> Result<(), Error> {
    for (key, spanned) in spans {
        let name = format!("{prefix}{}", key.get_ref());
        match (spanned.get_ref(), &table[key.get_ref().as_ref()]) {
            (DeValue::Table(inner), Value::Table(values)) if Key::is_section(&name) => {
                walk(&format!("{name}."), inner, values, line, settings)?;
            }
            _ if RETIRED.contains(&name.as_str()) || name == PARTS => {}
            (_, value) => settings.push(setting(&name, value.clone(), line(key.span()))?),
        }
    }
    Ok(())
}

/// Reads `a.b=c` from the command line; `c` may be TOML or a bare word.
pub(super) fn assignment(text: &str, flag: &str) -> Result<Setting, Error> {
    let place = format!("{flag} {text}");
    let Some((name, value)) = text.split_once('=') else {
        let message = "an assignment has the form key=value, such as train.epochs=30".to_owned();
        return Err(Error::Recipe { place, message });
    };
    let value = value.trim();
    let table = format!("value = {value}").parse::<toml::Table>().ok().filter(|table| table.len() == 1);
    let parsed = table.and_then(|mut table| table.remove("value"));
    setting(name.trim(), parsed.unwrap_or_else(|| Value::String(value.to_owned())), place)
}

/// Checks name and type of one setting.
pub(super) fn setting(name: &str, value: Value, place: String) -> Result<Setting, Error> {
    let refuse = |message: String| Error::Recipe { place: place.clone(), message };
    let Some(key) = Key::find(name) else {
        if let (Value::Table(_), Some(close)) = (&value, Key::section_like(name)) {
            return Err(refuse(format!("unknown section `{name}`: did you mean `{close}`?")));
        }
        let hint = match Key::suggestion(name) {
            Some(close) => format!("did you mean `{close}`?"),
            None => "`creditscope init` writes a template with every key".to_owned(),
        };
        return Err(refuse(format!("unknown key `{name}`: {hint}")));
    };
    let values = match value {
        whole if matches!(key.kind, Kind::Words(_)) => vec![whole],
        Value::Array(list) if list.is_empty() => {
            return Err(refuse(format!("`{name}` is an empty list, so there is nothing to run")));
        }
        Value::Array(list) => list,
        single => vec![single],
    };
    let values =
        values.into_iter().map(|value| typed(key, value).map_err(refuse)).collect::<Result<_, _>>()?;
    Ok(Setting { key, values, place })
}

/// Checks a single value against its key; whole numbers serve as real ones.
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
        (Kind::Word(words), _) => wrong(format!("one of {}{}", words.join(", "), close_word(words, &value))),
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

/// A hint at the word that was likely meant, if any is close.
fn close_word(words: &[&str], value: &Value) -> String {
    let lower = value.as_str().unwrap_or_default().to_lowercase();
    let distance = |word: &&&str| strsim::damerau_levenshtein(word, &lower);
    let close = words.iter().min_by_key(distance).filter(|w| distance(w) <= 2.min(w.len() - 1));
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
