//! What `--layers` adds for each run: the source's convention, and every null by itself.

use super::cells::{measured, plain};
use super::legend::Legend;
use super::words::{change, null_kind, quantity};
use crate::show::{self, Table};
use record::audit::{Audit, Place, Quantity};

pub(super) fn detail(audit: &Audit, legend: &mut Legend) -> String {
    let parts = [paper(audit, legend), nulls(audit)];
    parts.into_iter().filter(|part| !part.is_empty()).map(|part| format!("\n{part}")).collect()
}

/// Credit of block l compared at h_l, the state that the block reads, as the source does.
fn paper(audit: &Audit, legend: &mut Legend) -> String {
    let mut table = Table::new(&["source's convention", "cosine", "torch", "ρ", "nudge"], 1);
    let mut any = false;
    for unit in &audit.units {
        let Some(paper) = &unit.at_input else { continue };
        any = true;
        let rho = paper.rho.map(|rho| rho.value);
        let nudge = paper.nudges.get(paper.nudges.len() / 2).map(|nudge| nudge.change);
        table.row(vec![
            unit.unit.to_string(),
            measured(&[Some(paper.cosine)], show::signed, paper.spread, true, legend),
            plain(&[paper.torch], show::signed),
            measured(&[rho], show::signed, None, false, legend),
            measured(&[nudge], change, None, false, legend),
        ]);
    }
    if any { table.text() } else { String::new() }
}

fn nulls(audit: &Audit) -> String {
    let mut table = Table::new(&["null", "of", "with", "samples", "chance", "value", "place"], 3);
    let mut any = false;
    for unit in &audit.units {
        let mut name = unit.unit.to_string();
        for null in unit.here.iter().flat_map(|evidence| &evidence.nulls) {
            any = true;
            let write = if null.of == Quantity::Nudge { change } else { show::signed };
            table.row(vec![
                std::mem::take(&mut name),
                quantity(null.of).to_owned(),
                null_kind(null.kind).to_owned(),
                show::count(null.samples),
                format!("{} to {}", write(null.low), write(null.high)),
                write(null.value),
                place(null.place).to_owned(),
            ]);
        }
    }
    if any { table.text() } else { String::new() }
}

fn place(place: Place) -> &'static str {
    match place {
        Place::Below => "below",
        Place::Inside => "inside",
        Place::Above => "above",
    }
}
