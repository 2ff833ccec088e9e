//! What was measured layer by layer after an epoch.

use super::outcome::N;
use crate::show::{self, Table};
use protocol::{at_floor, gathered};
use record::series::{self, GRADIENT, Scale};
use record::{Evaluation, Measured, Series, Unit, Why};
use report::show::unit_names;
use std::collections::BTreeMap;

/// A row for the embedding and one for each block, in the order of the forward pass, and below them why some
/// numbers are unreliable or undefined. `floor` is the recipe's `protocol.floor`.
pub(super) fn layers(e: &Evaluation, floor: Option<f64>) -> String {
    let columns: Vec<Column<'_>> =
        series::in_order(&e.series).into_iter().map(|name| Column::of(name, e)).collect();
    let mut heading = vec!["unit", "acts on"];
    heading.extend(columns.iter().map(|column| column.heading.as_str()));
    let mut table = Table::new(&heading, 2);
    let mut doubts = Doubts::default();
    let rows = e.series.values().map(|series| series.at.unit(series.values.len())).max().unwrap_or(0);
    for row in 0..rows {
        let unit = Unit::at(row);
        let mut cells = vec![unit.to_string(), format!("h_{row}")];
        cells.extend(columns.iter().map(|column| match column.series.of_unit(row) {
            Some(value) => doubts.cell(&value, column, unit),
            None => String::new(),
        }));
        table.row(cells);
    }
    table.text() + &doubts.text(floor)
}

/// A series as the table shows it.
struct Column<'a> {
    name: &'a str,
    heading: String,
    series: &'a Series,
    form: fn(f64) -> String,
}

impl<'a> Column<'a> {
    fn of(name: &'a str, e: &'a Evaluation) -> Self {
        let known = series::find(name);
        // ‖p‖ is shown as the gradient of a mean, as the floor is stated.
        let (heading, form): (String, fn(f64) -> String) = match known {
            Some(&GRADIENT) => (format!("‖g‖ (N={N})"), |p| show::scientific(at_floor(p))),
            Some(known) if known.scale == Scale::Linear => (known.heading.to_owned(), show::signed),
            Some(known) => (known.heading.to_owned(), show::scientific),
            None => (name.to_owned(), show::scientific),
        };
        Self { name, heading, series: &e.series[name], form }
    }
}

/// The values that are not plainly defined: by whether they exist and the reason, the series and the unit of each.
#[derive(Default)]
struct Doubts(BTreeMap<(bool, Why), Vec<(String, Unit)>>);

impl Doubts {
    /// The cell of a value: `.42`, `(.42)` for one that is unreliable, `–` for one that does not exist.
    fn cell(&mut self, value: &Measured, column: &Column<'_>, unit: Unit) -> String {
        let mut doubt = |exists: bool, why: Why| {
            self.0.entry((exists, why)).or_default().push((column.name.to_owned(), unit));
        };
        match *value {
            Measured::Defined { value } => (column.form)(value),
            Measured::Unreliable { value, why } => {
                doubt(true, why);
                format!("({})", (column.form)(value))
            }
            Measured::Undefined { why } => {
                doubt(false, why);
                "–".to_owned()
            }
        }
    }

    fn text(&self, floor: Option<f64>) -> String {
        let line = |((exists, why), doubted): (&(bool, Why), &Vec<(String, Unit)>)| {
            let mark = if *exists { "( ) unreliable" } else { "– undefined" };
            let named = gathered(doubted.iter().map(|(name, unit)| (name, *unit)));
            let named = named.iter().map(|(name, units)| format!("{name} at {}", unit_names(units)));
            let named: Vec<String> = named.collect();
            format!("{}\n", show::wrap(&format!("{mark}: {}: {}", words(*why, floor), named.join("; ")), 4))
        };
        self.0.iter().rev().map(line).collect()
    }
}

fn words(why: Why, floor: Option<f64>) -> String {
    match floor {
        Some(floor) if why == Why::ReferenceBelowFloor => {
            format!("{} (protocol.floor = {floor:e})", why.words())
        }
        _ => why.words().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::series::{At, COSINE, COSINE_AT_INPUT, CREDIT, HIDDEN, Quantity};

    fn evaluation() -> Evaluation {
        Evaluation {
            samples: 64,
            error: 0.9,
            growth: 55.0,
            series: [
                HIDDEN.series([8.0, 9.0, 500.0]),
                GRADIENT.series([0.128, 1.28e-4, 1.28e-9]),
                CREDIT.series([1.0, 2.0, 0.0]),
                COSINE.series([0.25.into(), (-0.5).into(), Measured::Undefined { why: Why::CreditVanished }]),
                COSINE_AT_INPUT.series([
                    Measured::Unreliable { value: -0.125, why: Why::ReferenceBelowFloor },
                    Measured::Undefined { why: Why::CreditVanished },
                ]),
            ]
            .into(),
            notes: std::collections::BTreeMap::new(),
        }
    }

    #[test]
    fn each_number_is_in_the_row_of_its_unit() {
        let text = layers(&evaluation(), Some(1e-7));
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        // ‖g‖ is ‖p‖ / 128; the embedding has no state as its input.
        assert_eq!(rows[2], ["embed", "h_0", "8.00", "1e-3", "1.00", ".250"]);
        assert_eq!(rows[3], ["block", "0", "h_1", "9.00", "1e-6", "2.00", "-.500", "(-.125)"]);
        assert_eq!(rows[4], ["block", "1", "h_2", "500", "1e-11", "0", "–", "–"]);
    }

    #[test]
    fn a_doubtful_cosine_says_why_and_where() {
        let text = layers(&evaluation(), Some(1e-7));
        // A note may run over several lines; those after the first are indented.
        let notes = text.lines().skip(5).collect::<Vec<_>>().join("\n").replace("\n    ", " ");
        let notes: Vec<&str> = notes.lines().collect();
        assert_eq!(notes.len(), 2, "{text}");
        assert!(notes[0].starts_with("( ) unreliable: the reference gradient is below the floor"));
        assert!(notes[0].contains("1e-7") && notes[0].ends_with(": cosine_at_input at block 0"), "{text}");
        assert!(notes[1].starts_with("– undefined: the credit is zero"), "{text}");
        assert!(notes[1].ends_with(": cosine at block 1; cosine_at_input at block 1"), "{text}");
    }

    #[test]
    fn lists_of_unequal_length_do_not_break_the_table() {
        let mut short = evaluation();
        let empty = |quantity: &Quantity| quantity.series([0.0; 0]);
        short.series.extend([&GRADIENT, &COSINE, &COSINE_AT_INPUT].map(empty));
        assert_eq!(layers(&short, None).lines().count(), 5);
    }

    #[test]
    fn a_series_of_a_newer_program_stands_last_under_its_name() {
        let mut newer = evaluation();
        newer.series.insert("brand_new".to_owned(), Series { at: At::BlockInput, values: vec![3.5.into()] });
        let text = layers(&newer, None);
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(
            (rows[0].last(), rows[2].last(), rows[3].last()),
            (Some(&"brand_new"), Some(&".250"), Some(&"3.50"))
        );
    }
}
