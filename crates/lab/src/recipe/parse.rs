//! From TOML text and `--set` to settings of the right types.

use super::schema::{Key, Kind, Schema};
use super::value::typed;
use crate::Error;
use record::escape::{toml_value, visible};
use serde::Deserialize;
use std::ops::Range;
use toml::de::{DeTable, DeValue, ValueDeserializer};
use toml::{Spanned, Value};

/// A key's values (more than one if it was given as a list), and where it was set.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) key: &'static Key,
    pub(super) values: Vec<Value>,
    pub(super) place: String,
}

/// The content of a recipe's text: settings for all runs, and the settings of each entry of `[[runs]]`.
pub(super) struct Parsed {
    pub(super) common: Vec<Setting>,
    pub(super) parts: Vec<Vec<Setting>>,
}

/// The array of tables whose entries are recipes, each combined with the settings above them.
const PARTS: &str = "runs";

/// Reads a recipe's text.
pub(super) fn recipe(schema: &'static Schema, text: &str, origin: &str) -> Result<Parsed, Error> {
    let line = |span: Range<usize>| format!("{origin}:{}", 1 + text[..span.start].matches('\n').count());
    let broken = |e: toml::de::Error| Error::Recipe {
        place: e.span().map_or_else(|| origin.to_owned(), line),
        message: format!("not TOML: {}", visible(e.message())),
    };
    let table = DeTable::parse(text).map_err(broken)?;
    let settings = |table: &DeTable<'_>| -> Result<Vec<Setting>, Error> {
        let mut found = Vec::new();
        walk("", table, schema, &mut found);
        if let Some((_, place, _)) = found.iter().find(|(name, ..)| name == rules::SOURCE)
            && schema.find(rules::SOURCE).is_none()
        {
            let message = "the rule of this recipe is written in Python: run it from there".to_owned();
            return Err(Error::Recipe { place: line(place.clone()), message });
        }
        let setting = |(name, place, value): Found<'_, '_>| {
            let value = Value::deserialize(ValueDeserializer::from(value.clone())).map_err(broken)?;
            setting(schema, &visible(&name), toml_value(value), line(place))
        };
        found.into_iter().map(setting).collect()
    };
    let table = table.get_ref();
    let common = settings(table)?;
    let mut parts = Vec::new();
    for (key, groups) in table.iter().filter(|(key, _)| key.get_ref() == PARTS) {
        let place = || line(key.span());
        let message = || format!("write `{PARTS}` as [[{PARTS}]], one for each group of runs");
        let wrong = || Error::Recipe { place: place(), message: message() };
        for group in groups.get_ref().as_array().ok_or_else(wrong)?.iter() {
            let group = group.get_ref().as_table().ok_or_else(wrong)?;
            if group.iter().any(|(key, _)| key.get_ref() == PARTS) {
                return Err(wrong());
            }
            let part = settings(group)?;
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

/// A key in the text: dotted name, place, value.
type Found<'a, 'i> = (String, Range<usize>, &'a Spanned<DeValue<'i>>);

/// Collects the leaves of the tree.
fn walk<'a, 'i>(prefix: &str, table: &'a DeTable<'i>, schema: &Schema, found: &mut Vec<Found<'a, 'i>>) {
    for (key, value) in table {
        let name = format!("{prefix}{}", key.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) if schema.is_section(&name) => {
                walk(&format!("{name}."), inner, schema, found);
            }
            _ if name == PARTS => {}
            _ => found.push((name, key.span(), value)),
        }
    }
}

/// Reads `a.b=c` from the command line; `c` may be TOML or a bare word.
pub(super) fn assignment(schema: &'static Schema, text: &str, flag: &str) -> Result<Setting, Error> {
    let place = format!("{flag} {text}");
    let Some((name, value)) = text.split_once('=') else {
        let message = "an assignment has the form key=value, such as train.epochs=30".to_owned();
        return Err(Error::Recipe { place, message });
    };
    let value = value.trim();
    let table = format!("value = {value}").parse::<toml::Table>().ok().filter(|table| table.len() == 1);
    let parsed = table.and_then(|mut table| table.remove("value"));
    setting(schema, name.trim(), parsed.unwrap_or_else(|| Value::String(value.to_owned())), place)
}

/// Checks name and type of one setting.
pub(super) fn setting(
    schema: &'static Schema,
    name: &str,
    value: Value,
    place: String,
) -> Result<Setting, Error> {
    let refuse = |message: String| Error::Recipe { place: place.clone(), message };
    let Some(key) = schema.find(name) else {
        if let (Value::Table(_), Some(close)) = (&value, schema.section_like(name)) {
            return Err(refuse(format!("unknown section `{name}`: did you mean `{close}`?")));
        }
        return Err(match schema.suggestion(name) {
            Some(close) => refuse(format!("unknown key `{name}`: did you mean `{close}`?")),
            None => Error::UnknownKey { place: place.clone(), key: name.to_owned() },
        });
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
