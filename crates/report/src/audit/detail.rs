//! What `View::layers` adds for each run: the cosine at the input of blocks, and every null by itself.

use super::cells::{measured, plain};
use super::legend::Legend;
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
            measured(&[Some(evidence.cosine)], show::signed, evidence.spread, true, legend),
            plain(&[evidence.torch], show::signed),
            measured(&[rho], show::signed, None, false, legend),
            measured(&[nudge], change, None, false, legend),
        ]);
    }
    table.without_blanks()
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
