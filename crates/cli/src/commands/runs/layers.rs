//! What was measured layer by layer after an epoch.

use super::outcome::N;
use crate::show::{self, Table};
use protocol::at_floor;
use record::{Evaluation, Measured, Unit, Why};
use std::collections::BTreeMap;

/// A row for the embedding and one for each block, in the order of the forward pass, and beneath them why some
/// cosines cannot be believed or do not exist. `floor` is the recipe's `protocol.floor`.
pub(super) fn layers(e: &Evaluation, floor: Option<f64>) -> String {
    let gradient = format!("‖g‖ (N={N})");
    let heading = ["unit", "acts on", "‖h‖", &gradient, "‖a‖", "cosine", "cosine_at_input"];
    let mut table = Table::new(&heading, 2);
    let mut doubts = Doubts::default();
    for row in 0..e.hidden.len() {
        let unit = Unit::at(row).to_string();
        let norm = |list: &[f64]| list.get(row).copied().map_or_else(String::new, show::scientific);
        let g = e.gradient.get(row).map(|&p| at_floor(p));
        // The embedding has no input to compare at.
        let at_input = row.checked_sub(1).and_then(|block| e.cosine_at_input.get(block));
        table.row(vec![
            unit.clone(),
            format!("h_{row}"),
            norm(&e.hidden),
            g.map_or_else(String::new, show::scientific),
            norm(&e.credit),
            e.cosine.get(row).map_or_else(String::new, |c| doubts.cell(c, "cosine", &unit)),
            at_input.map_or_else(String::new, |c| doubts.cell(c, "cosine_at_input", &unit)),
        ]);
    }
    table.text() + &doubts.text(floor)
}

/// The cosines that are not plainly defined: by their state and reason, where they stand in the table.
#[derive(Default)]
struct Doubts(BTreeMap<(bool, Why), Vec<String>>);

impl Doubts {
    /// The cell of a cosine: `.42`, `(.42)` for one that cannot be relied upon, `–` for one that does not exist.
    fn cell(&mut self, cosine: &Measured, column: &str, unit: &str) -> String {
        let mut doubt = |exists: bool, why: Why| {
            self.0.entry((exists, why)).or_default().push(format!("{column} of {unit}"))
        };
        match *cosine {
            Measured::Defined { value } => show::signed(value),
            Measured::Unreliable { value, why } => {
                doubt(true, why);
                format!("({})", show::signed(value))
            }
            Measured::Undefined { why } => {
                doubt(false, why);
                "–".to_owned()
            }
        }
    }

    fn text(&self, floor: Option<f64>) -> String {
        let line = |((exists, why), places): (&(bool, Why), &Vec<String>)| {
            let mark = if *exists { "( ) not to be relied upon" } else { "– undefined" };
            format!("{}\n", show::wrap(&format!("{mark}: {}; {}", words(*why, floor), places.join(", ")), 4))
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

    fn evaluation() -> Evaluation {
        Evaluation {
            samples: 64,
            hidden: vec![8.0, 9.0, 500.0],
            gradient: vec![0.128, 1.28e-4, 1.28e-9],
            credit: vec![1.0, 2.0, 0.0],
            error: 0.9,
            growth: 55.0,
            cosine: vec![
                Measured::Defined { value: 0.25 },
                Measured::Defined { value: -0.5 },
                Measured::Undefined { why: Why::CreditVanished },
            ],
            cosine_at_input: vec![
                Measured::Unreliable { value: -0.125, why: Why::ReferenceBelowFloor },
                Measured::Undefined { why: Why::CreditVanished },
            ],
            notes: std::collections::BTreeMap::new(),
        }
    }

    #[test]
    fn each_number_stands_at_the_unit_it_belongs_to() {
        let text = layers(&evaluation(), Some(1e-7));
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        // ‖g‖ is ‖p‖ / 128; the embedding has no cosine in the source's convention.
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
        assert!(notes[0].starts_with("( ) not to be relied upon: the gradient is below the floor"));
        assert!(notes[0].contains("1e-7") && notes[0].ends_with("; cosine_at_input of block 0"), "{text}");
        assert!(notes[1].starts_with("– undefined: the credit is zero"), "{text}");
        assert!(notes[1].ends_with("; cosine of block 1, cosine_at_input of block 1"), "{text}");
    }

    #[test]
    fn lists_of_unequal_length_do_not_break_the_table() {
        let short = Evaluation { gradient: vec![], cosine: vec![], cosine_at_input: vec![], ..evaluation() };
        assert_eq!(layers(&short, None).lines().count(), 5);
    }
}
