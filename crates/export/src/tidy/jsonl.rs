//! The table as JSON, one object per line with its columns in order. What is empty is null; infinity and NaN, which JSON does
//! not have, are words, as in records.

use super::{Cell, Tidy};
use report::audit::csv::number;
use serde_json::Value;

pub(super) fn text(table: &Tidy<'_>) -> String {
    let names: Vec<String> = table.columns().into_iter().map(|name| Value::from(name).to_string()).collect();
    let mut text = String::new();
    table.each_row(|cells| {
        let field = |(name, cell): (&String, &Cell<'_>)| format!("{name}:{}", value(cell));
        let fields: Vec<String> = names.iter().zip(cells).map(field).collect();
        text.push_str(&format!("{{{}}}\n", fields.join(",")));
    });
    text
}

fn value(cell: &Cell<'_>) -> Value {
    match cell {
        Cell::Empty => Value::Null,
        Cell::Text(text) => Value::from(text.as_str()),
        Cell::Whole(n) => Value::from(*n),
        Cell::Number(x) if x.is_finite() => Value::from(*x),
        Cell::Number(x) => Value::from(number(*x)),
        Cell::Key(value) => serde_json::to_value(value).unwrap_or_default(),
    }
}
