//! The table as CSV.

use super::{Cell, Tidy};
use record::escape;
use report::audit::csv::number;
use toml::Value;

pub(super) fn text(table: &Tidy<'_>) -> String {
    let mut text = line(table.columns().into_iter().map(escape::csv));
    table.each_row(|cells| text.push_str(&line(cells.iter().map(cell))));
    text
}

fn line(cells: impl Iterator<Item = String>) -> String {
    cells.collect::<Vec<_>>().join(",") + "\r\n"
}

fn cell(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) => escape::csv(text),
        Cell::Whole(n) => n.to_string(),
        Cell::Number(x) => number(*x),
        Cell::Key(Value::String(text)) => escape::csv(text),
        Cell::Key(value) => escape::csv(&value.to_string()),
    }
}
