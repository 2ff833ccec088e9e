//! From the value that a file, a command line or a Python keyword gives to what it means. Lists and tables may be written
//! as text too: `bp,dfa`, `d=512,L=12`.

use super::venue::{self, Span, Venue};
use super::{AxisOf, Direction, Division};
use crate::catalogue::convention::Convention;
use crate::plot::{Marker, Spread, Style};
use crate::scene::{Colour, Ground};
use crate::text::Family;
use record::nearest;
use std::ops::RangeInclusive;
use toml::Value;

/// Widths and heights, in inches.
const INCHES: RangeInclusive<f64> = 1.0..=60.0;
/// Panels in a row.
const COLUMNS: RangeInclusive<f64> = 1.0..=12.0;

pub(super) fn text(value: &Value) -> Result<String, String> {
    let text = value.as_str().map(str::trim).filter(|text| !text.is_empty());
    text.map(str::to_owned).ok_or_else(|| "give a text".to_owned())
}

pub(super) fn flag(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| format!("give true or false, not {value}"))
}

fn number(value: &Value) -> Option<f64> {
    let written = || value.as_str()?.trim().trim_end_matches("in").parse().ok();
    value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64)).or_else(written)
}

pub(super) fn inches(value: &Value) -> Result<f64, String> {
    let inches = number(value).filter(|inches| INCHES.contains(inches));
    inches.ok_or_else(|| format!("give inches, from {} to {}, not {value}", INCHES.start(), INCHES.end()))
}

pub(super) fn columns(value: &Value) -> Result<usize, String> {
    let count = number(value).filter(|count| COLUMNS.contains(count) && count.fract() == 0.0);
    let wrong = || format!("give a whole number from {} to {}, not {value}", COLUMNS.start(), COLUMNS.end());
    count.map(|count| count as usize).ok_or_else(wrong)
}

/// A list of different words.
pub(super) fn words(value: &Value) -> Result<Vec<String>, String> {
    let found: Vec<String> = match value {
        Value::String(list) => list.split(',').map(|word| word.trim().to_owned()).collect(),
        Value::Array(list) => list.iter().map(text).collect::<Result<_, _>>()?,
        other => return Err(format!("give a list such as \"bp,dfa\", not {other}")),
    };
    if found.iter().any(String::is_empty) {
        return Err(format!("give a list such as \"bp,dfa\", not {value}"));
    }
    match found.iter().enumerate().find(|(i, word)| found[..*i].contains(word)) {
        Some((_, twice)) => Err(format!("`{twice}` is there twice")),
        None => Ok(found),
    }
}

/// The entries of a table, or of a text such as `a=1,b=2`. A text without `=` after a comma belongs to the value before it.
fn entries(value: &Value) -> Result<Vec<(String, Value)>, String> {
    let text = match value {
        Value::Table(table) => return Ok(record::flatten(table.clone()).into_iter().collect()),
        Value::String(text) => text,
        other => return Err(format!("write it as NAME=VALUE, not {other}")),
    };
    let mut found: Vec<(String, String)> = Vec::new();
    for piece in text.split(',') {
        if let Some((name, value)) = piece.split_once('=').filter(|(name, _)| is_name(name)) {
            found.push((name.trim().to_owned(), value.to_owned()));
        } else {
            let wrong = || format!("write it as NAME=VALUE, not `{text}`");
            let (_, before) = found.last_mut().ok_or_else(wrong)?;
            *before = format!("{before},{piece}");
        }
    }
    Ok(found.into_iter().map(|(name, value)| (name, Value::String(value))).collect())
}

/// Whether it can be the name of a rule, a panel or a key.
fn is_name(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_.- ".contains(c))
}

/// Values by name.
pub(super) fn pairs<T>(
    value: &Value,
    read: impl Fn(&Value) -> Result<T, String>,
) -> Result<Vec<(String, T)>, String> {
    let entry = |(name, value): (String, Value)| {
        let found = read(&value).map_err(|why| format!("{name}: {why}"))?;
        Ok((name, found))
    };
    entries(value)?.into_iter().map(entry).collect()
}

/// Values by axis: `B` is the vertical one of panel B, `B.x` the horizontal one.
pub(super) fn axes<T>(
    value: &Value,
    read: impl Fn(&Value) -> Result<T, String>,
) -> Result<Vec<(AxisOf, T)>, String> {
    let axis = |(name, value): (String, T)| {
        let (panel, direction) = match name.rsplit_once('.') {
            Some((panel, "x")) => (panel, Direction::X),
            Some((panel, "y")) => (panel, Direction::Y),
            _ => (name.as_str(), Direction::Y),
        };
        ((panel.to_owned(), direction), value)
    };
    Ok(pairs(value, read)?.into_iter().map(axis).collect())
}

/// Keys of recipes with the values that are wanted; several are written as a list or as `256|512`.
pub(super) fn settings(value: &Value) -> Result<Vec<(String, Vec<Value>)>, String> {
    let several = |value: &Value| match value {
        Value::Array(values) => Ok(values.clone()),
        Value::String(text) => Ok(text.split('|').map(|text| plain(text.trim())).collect()),
        single => Ok(vec![single.clone()]),
    };
    pairs(value, several)
}

/// A number or truth value if the text is one.
fn plain(text: &str) -> Value {
    let number = || text.parse().map(Value::Integer).ok().or_else(|| text.parse().map(Value::Float).ok());
    let truth = || text.parse().map(Value::Boolean).ok();
    number().or_else(truth).unwrap_or_else(|| Value::String(text.to_owned()))
}

/// Names in words: `a`, `a and b`, `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        all => all.concat(),
    }
}

/// One of these, by its name.
fn one_of<T: Copy>(value: &Value, known: &[(String, T)]) -> Result<T, String> {
    let name = text(value)?;
    if let Some((_, found)) = known.iter().find(|(known, _)| *known == name) {
        return Ok(*found);
    }
    let names = || known.iter().map(|(name, _)| name.as_str());
    Err(match nearest(&name, names(), 2) {
        Some(close) => format!("there is no `{name}`: did you mean `{close}`?"),
        None => format!("there is no `{name}`: there are {}", listed(&names().collect::<Vec<_>>())),
    })
}

fn named<T: Copy>(known: impl IntoIterator<Item = (&'static str, T)>) -> Vec<(String, T)> {
    known.into_iter().map(|(name, it)| (name.to_owned(), it)).collect()
}

pub(super) fn marker(value: &Value) -> Result<Marker, String> {
    let known: Vec<(String, Marker)> =
        Marker::ALL.into_iter().map(|marker| (marker.name(), marker)).collect();
    one_of(value, &known)
}

pub(super) fn division(value: &Value) -> Result<Division, String> {
    let known = [("linear", Division::Linear), ("log", Division::Log), ("symlog", Division::SymLog)];
    one_of(value, &named(known))
}

pub(super) fn spread(value: &Value) -> Result<Spread, String> {
    one_of(value, &named(Spread::ALL.map(|spread| (spread.name(), spread))))
}

pub(super) fn convention(value: &Value) -> Result<Convention, String> {
    one_of(value, &named(Convention::ALL.map(|convention| (convention.name(), convention))))
}

pub(super) fn span(value: &Value) -> Result<Span, String> {
    one_of(value, &named([("page", Span::Page), ("column", Span::Column)]))
}

pub(super) fn ground(value: &Value) -> Result<Ground, String> {
    one_of(value, &named(Ground::NAMED))
}

pub(super) fn venue(value: &Value) -> Result<&'static Venue, String> {
    one_of(value, &named(venue::VENUES.iter().map(|venue| (venue.name, venue))))
}

pub(super) fn style(value: &Value) -> Result<String, String> {
    one_of(value, &named(Style::NAMES.map(|name| (name, name)))).map(str::to_owned)
}

pub(super) fn colour(value: &Value) -> Result<Colour, String> {
    let text = text(value)?;
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    let rgb = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    rgb.map(Colour::hex).ok_or_else(|| format!("`{text}` is no colour: write it as #b2182b"))
}

/// Two numbers, the smaller first; as text `0:1`.
pub(super) fn range(value: &Value) -> Result<(f64, f64), String> {
    let ends: Vec<Option<f64>> = match value {
        Value::Array(ends) => ends.iter().map(number).collect(),
        Value::String(text) => {
            text.split(':').map(|end| number(&Value::String(end.replace('−', "-")))).collect()
        }
        _ => Vec::new(),
    };
    match ends[..] {
        [Some(low), Some(high)] if low < high && low.is_finite() && high.is_finite() => Ok((low, high)),
        _ => Err(format!("write the ends as LOW:HIGH, the smaller first, such as 0:1, not {value}")),
    }
}

pub(super) fn font(value: &Value) -> Result<Family, String> {
    let files = words(value)?;
    match &files[..] {
        [one] => one.parse().map_err(|e: crate::text::TextError| e.to_string()),
        [_, _] | [_, _, _] => Ok(Family::of_files(&files)),
        _ => Err("give at most three files: regular, bold, italic".to_owned()),
    }
}
