//! What `View::layers` adds for each run: the cosine at the input of blocks, the mean credit over draws, and every null by
//! itself.

use super::cells::{cosine, measured, plain};
use super::legend::{Legend, Mark};
use super::words::{change, null_kind};
use crate::show::{self, Table};
use record::audit::{Audit, Place, Quantity};

/// The credit of block l compared at h_l, the state that the block reads.
pub(super) fn at_input(audit: &Audit, legend: &mut Legend) -> Table {
    let mut table = Table::new(&["at the input", "cosine", "torch", "ρ", "nudge"], 1);
    for unit in &audit.units {
        let Some(evidence) = &unit.at_input else { continue };
        let rho = evidence.rho.map(|rho| rho.value);
        let nudge = evidence.nudges.get(evidence.nudges.len() / 2).map(|nudge| nudge.change);
        table.row(vec![
            unit.unit.to_string(),
            cosine(&[Some(evidence)], legend),
            plain(&[evidence.torch], show::signed),
            measured(&[rho], show::signed, None, false, legend),
            measured(&[nudge], change, None, false, legend),
        ]);
    }
    table.without_blanks()
}

/// The mean credit over K draws, beside what unbiased noise gives.
pub(super) fn mean_credit(audit: &Audit, legend: &mut Legend) -> Table {
    let mut table =
        Table::new(&["mean credit", "draws", "samples", "cosine", "95 %", "expected", "place"], 1);
    for unit in &audit.units {
        let mut name = unit.unit.to_string();
        for point in &unit.mean_credit {
            legend.mark(Mark::Expected);
            // There are many intervals of 95 %, so some miss. None misses by twice its half-width by chance.
            let place = match point.cosine - point.expected {
                off if off < point.low - point.high => "below",
                off if off > point.high - point.low => "above",
                _ => "as expected",
            };
            table.row(vec![
                std::mem::take(&mut name),
                point.draws.to_string(),
                show::count(point.samples),
                show::signed(point.cosine),
                format!("{} to {}", show::signed(point.low), show::signed(point.high)),
                show::signed(point.expected),
                place.to_owned(),
            ]);
        }
    }
    table
}

/// Every null of every unit.
pub(super) fn nulls(audit: &Audit) -> Table {
    let mut table = Table::new(&["null", "of", "with", "samples", "chance", "value", "place"], 3);
    for unit in &audit.units {
        let mut name = unit.unit.to_string();
        for null in unit.here.iter().flat_map(|evidence| &evidence.nulls) {
            let write = if null.of == Quantity::Nudge { change } else { show::signed };
            table.row(vec![
                std::mem::take(&mut name),
                null.of.name().to_owned(),
                null_kind(null.kind),
                show::count(null.samples),
                format!("{} to {}", write(null.low), write(null.high)),
                write(null.value),
                place(null.place).to_owned(),
            ]);
        }
    }
    table
}

fn place(place: Place) -> &'static str {
    match place {
        Place::Below => "below",
        Place::Inside => "inside",
        Place::Above => "above",
    }
}
