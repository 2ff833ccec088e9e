//! Whether the steps that training can take reach a unit, beside how much the loss depends on its state.

use super::cells::plain;
use super::layers::{Column, column, rows, table, units};
use super::legend::{Legend, Mark};
use super::section::Section;
use super::{place, words};
use crate::show::{self, Table, unit_names};
use protocol::{inert, sensitivity};
use record::Unit;
use record::audit::{Audit, Effect, Moved, UnitAudit};

/// Whether the unit at a state is inert, in every seed where that was looked at; none where it was not.
pub(super) fn is_inert(audits: &[&Audit], row: usize) -> Option<bool> {
    let each =
        audits.iter().filter_map(|audit| of_unit(audit, place::unit_at(audit, row)?).map(|(_, inert)| inert));
    each.reduce(|a, b| a && b)
}

/// The effect of a step on a unit, and whether it is so small that the unit is inert.
pub(super) fn of_unit(audit: &Audit, unit: &UnitAudit) -> Option<(Effect, bool)> {
    unit.effect.zip(inert(unit.effect, &audit.settings.thresholds))
}

/// `a step of lr .006`, or `a step of RMS .1` where there were no weights to move.
pub(super) fn step(effect: &Effect) -> String {
    let of = match effect.moved {
        Moved::Parameters => "lr",
        Moved::State => "RMS",
    };
    format!("a step of {of} {}", effect.step).replace(" 0.", " .")
}

/// What a step along the true gradient does at each unit, and ‖p‖·‖h‖.
pub(super) fn reach(audits: &[&Audit], legend: &mut Legend) -> Table {
    let count = rows(audits);
    let effects = |row: usize| units(audits, row).into_iter().flatten().filter_map(|unit| unit.effect);
    let sensitivities = |row: usize| -> Vec<Option<f64>> {
        audits.iter().map(|audit| audit.states.get(row).and_then(sensitivity)).collect()
    };
    let mut columns: Vec<Column> =
        vec![column("‖p‖·‖h‖", count, |row| plain(&sensitivities(row), show::scientific))];
    if let Some(first) = (0..count).flat_map(effects).next() {
        legend.mark(Mark::Reach);
        let shares = |row: usize| effects(row).map(|effect| Some(effect.share)).collect::<Vec<_>>();
        columns.push(column(&step(&first), count, |row| plain(&shares(row), words::change)));
        columns.push(column("reach", count, |row| match is_inert(audits, row) {
            Some(true) => legend.inert(audits).to_owned(),
            Some(false) => "within reach".to_owned(),
            None => String::new(),
        }));
    }
    table(audits, columns)
}

/// Which units are inert: `inert at blocks 1–3: a step of lr .006 changes the loss by at most 7e-4 of it`.
pub(super) fn sentence(section: &Section<'_>) -> Option<String> {
    let audits = &section.audits;
    let count = rows(audits);
    let found: Vec<usize> = (0..count).filter(|&row| is_inert(audits, row) == Some(true)).collect();
    let effects =
        || found.iter().flat_map(|&row| units(audits, row)).flatten().filter_map(|unit| unit.effect);
    let first = effects().next()?;
    let most = effects().map(|effect| effect.share.abs()).fold(0.0, f64::max);
    let states =
        || found.iter().flat_map(|&row| audits.iter().filter_map(move |audit| audit.states.get(row)));
    let least = states().filter_map(sensitivity).reduce(f64::min)?;
    let largest = states().filter_map(sensitivity).reduce(f64::max)?;
    let names: Vec<Unit> = found.iter().map(|&row| Unit::at(row)).collect();
    let place = if found.len() == count { "every unit".to_owned() } else { unit_names(&names) };
    Some(format!(
        "inert at {place}: {} changes the loss by at most {} of it (‖p‖·‖h‖ {} to {})",
        step(&first),
        show::scientific(most),
        show::scientific(least),
        show::scientific(largest)
    ))
}
