//! From the text of a figure file to a checked [`Composition`]; errors say file and line.

use super::field::{Field, number};
use super::keys;
use super::quantity::Quantity;
use super::section::{Entry, Lines, Section};
use super::select::Condition;
use super::spec::{Across, Aggregate, Along, Composition, Group, Kind, Panel, Scale};
use crate::catalogue::options::{self, KEYS};
use record::escape;
use toml::Value;
use toml::de::DeTable;

/// Why a figure file is refused.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {message}")]
pub struct CompositionError {
    /// As `file:line`.
    pub place: String,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Composition {
    /// Reads the text of a figure file; `origin` is its path, for messages.
    pub fn parse(name: &str, text: &str, origin: &str) -> Result<Self, CompositionError> {
        let lines = Lines { text, origin };
        let root = parsed(&lines)?;
        let top = Section::checked(&lines, root.get_ref(), 0, &[&keys::FIGURE, &KEYS], Some(PANELS))?;
        let common = conditions(&top.get("where"))?;
        let mut panels = Vec::new();
        for (at, table) in top.tables(PANELS)? {
            panels.push(panel(&Section::checked(&lines, table, at, &[&keys::PANEL], None)?, &common)?);
        }
        if panels.is_empty() {
            return Err(lines.error(0, format!("there is no panel: each begins with a line [[{PANELS}]]")));
        }
        Ok(Self {
            name: name.to_owned(),
            aspect: top.get("aspect").number(0.1..=5.0)?,
            widest: top.get("widest").number(0.1..=1.0)?,
            options: options::from(&top, Some(PANELS))?,
            share: top.get("share").number(0.1..=1.0)?,
            title: top.get("title").word()?,
            panels,
        })
    }
}

/// The tables of a text.
pub(in crate::catalogue) fn parsed<'a>(
    lines: &Lines<'a>,
) -> Result<toml::Spanned<DeTable<'a>>, CompositionError> {
    DeTable::parse(lines.text).map_err(|e| {
        let at = e.span().map_or(0, |span| span.start);
        lines.error(at, format!("not TOML: {}", escape::visible(e.message())))
    })
}

/// The array of tables that are panels.
const PANELS: &str = "panel";

fn panel(section: &Section<'_, '_>, common: &[Condition]) -> Result<Panel, CompositionError> {
    let kinds =
        [("line", Kind::Line), ("heat", Kind::Heat), ("scatter", Kind::Scatter), ("bars", Kind::Bars)];
    let kind = section.get("kind").one_of(&kinds)?.unwrap_or(Kind::Line);
    let y = section.get("y");
    let Some(quantity) = y.word()? else {
        return Err(section.error("a panel needs `y`: a series, such as y = \"cosine\"".to_owned()));
    };
    let quantity = Quantity::parse(&quantity).map_err(|why| y.error(why))?;
    let x = match section.get("x").word()?.as_deref() {
        None | Some("epoch") if kind != Kind::Bars && kind != Kind::Scatter => Along::Epoch,
        Some("layer") => Along::Layer,
        None if kind == Kind::Bars => Along::Field(Field::Rule),
        None => return Err(section.error("a scatter plot needs `x`, such as x = \"gamma\"".to_owned())),
        Some(text) if kind == Kind::Scatter => {
            Along::Quantity(Quantity::parse(text).map_err(|why| section.get("x").error(why))?)
        }
        Some(text) => Along::Field(field(&section.get("x"), text)?),
    };
    let group = match section.get("group").word()?.as_deref() {
        Some("layer") => Group::Layer,
        Some(text) => Group::Field(field(&section.get("group"), text)?),
        None => Group::Field(Field::Rule),
    };
    let per = section.get("per").word()?.map(|text| field(&section.get("per"), &text)).transpose()?;
    let aggregates = [
        ("mean", Aggregate::Mean),
        ("median", Aggregate::Median),
        ("min", Aggregate::Least),
        ("max", Aggregate::Largest),
        ("seeds", Aggregate::Seeds),
    ];
    let mut conditions = conditions(&section.get("where"))?;
    conditions.extend_from_slice(common);
    Ok(Panel {
        place: section.place(),
        name: section.get("name").word()?.unwrap_or_else(|| quantity.to_string()),
        title: section.get("title").word()?,
        kind,
        x,
        log_x: section.get("x_scale").one_of(&[("linear", false), ("log", true)])?.unwrap_or(false),
        y: quantity,
        group,
        per,
        conditions,
        aggregate: section.get("aggregate").one_of(&aggregates)?.unwrap_or(Aggregate::Mean),
        scale: scale(&section.get("scale"))?,
        range: range(&section.get("range"))?,
        include: section.get("include").numbers()?.unwrap_or_default(),
        label: section.get("label").word()?,
        guides: guides(&section.get("guides"))?,
        percent: section.get("percent").flag()?.unwrap_or(false),
    })
}

/// Whether it is a key of some recipe is known with the records.
fn field(entry: &Entry<'_>, text: &str) -> Result<Field, CompositionError> {
    match text {
        "epoch" | "layer" => Err(entry.error(format!("`{text}` has no place here: {}", entry.meaning()))),
        text => Ok(Field::parse(text)),
    }
}

fn scale(entry: &Entry<'_>) -> Result<Option<Scale>, CompositionError> {
    let least =
        |text: &str| text.strip_prefix("signed ")?.trim().parse::<f64>().ok().filter(|least| *least > 0.0);
    match entry.word()? {
        Some(text) if least(&text).is_some() => Ok(least(&text).map(Scale::Signed)),
        Some(text) if text.starts_with("signed") => {
            Err(entry.error("write \"signed 1e-6\": what is smaller is drawn near zero".to_owned()))
        }
        _ => entry.one_of(&[("linear", Scale::Linear), ("log", Scale::Log), ("auto", Scale::Auto)]),
    }
}

fn range(entry: &Entry<'_>) -> Result<Option<(f64, f64)>, CompositionError> {
    match entry.numbers()?.as_deref() {
        None => Ok(None),
        Some([low, high]) if low < high => Ok(Some((*low, *high))),
        Some(_) => Err(entry.error("`range` takes two numbers, the smaller first".to_owned())),
    }
}

fn guides(entry: &Entry<'_>) -> Result<Vec<Across>, CompositionError> {
    let across = |value: &Value| match (number(value), value.as_str()) {
        (Some(at), _) => Ok(Across::At(at)),
        (_, Some("chance")) => Ok(Across::Chance),
        (_, Some("floor")) => Ok(Across::Floor),
        _ => Err(entry.error(format!("`guides` has no {value}: {}", entry.meaning()))),
    };
    entry.list().iter().map(across).collect()
}

/// The conditions of a `where`.
fn conditions(entry: &Entry<'_>) -> Result<Vec<Condition>, CompositionError> {
    let Some(value) = &entry.value else { return Ok(Vec::new()) };
    let Some(table) = value.as_table() else {
        return Err(
            entry.error("write where = { rule = \"dfa\" }, with a value or a list for each key".to_owned())
        );
    };
    let condition = |(key, value): (String, Value)| {
        let values = match value {
            Value::Array(values) => values,
            single => vec![single],
        };
        Condition { field: Field::parse(&key), values }
    };
    Ok(record::flatten(table.clone()).into_iter().map(condition).collect())
}
