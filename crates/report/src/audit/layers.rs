//! Units as rows: what the credit of each is worth, and the sizes to read it against.

use super::View;
use super::cells::{self, aligned, band, mark, measured, plain};
use super::legend::{Legend, Mark};
use super::place;
use super::reach::is_inert;
use super::words;
use crate::show::{self, Symbol, Table, Text};
use protocol::{at_floor, most_frequent};
use record::Measured;
use record::audit::{Audit, Evidence, Nudge, Quantity, Rho, Standing, State, UnitAudit};

/// A column under construction.
pub(super) struct Column {
    heading: String,
    cells: Vec<Text>,
}

/// What the evidence about each unit says, of one run or of the seeds of a group together.
pub(super) fn evidence(audits: &[&Audit], view: &View, legend: &mut Legend) -> Table {
    table(audits, judged(audits, rows(audits), view, legend))
}

/// Norms, drift, probes, and what the true gradient itself gives.
pub(super) fn sizes(audits: &[&Audit], legend: &mut Legend) -> Table {
    let rows = rows(audits);
    let sizes = norms(audits, rows);
    if sizes.iter().any(|column| column.cells.iter().any(|cell| !cell.is_blank())) {
        legend.mark(Mark::Norms);
    }
    table(audits, sizes.into_iter().chain(best(audits, rows, legend)).collect())
}

/// A row is a state with the unit whose credit acts there.
pub(super) fn rows(audits: &[&Audit]) -> usize {
    audits.iter().map(|audit| place::states(audit)).max().unwrap_or(0)
}

pub(super) fn table(audits: &[&Audit], columns: Vec<Column>) -> Table {
    let heading: Vec<&str> =
        std::iter::once("unit").chain(columns.iter().map(|column| column.heading.as_str())).collect();
    let mut table = Table::new(&heading, 1);
    for row in 0..rows(audits) {
        let name = Text::from(place::name_at(audits, row));
        let cells = columns.iter().map(|column| column.cells[row].clone());
        table.row(std::iter::once(name).chain(cells).collect());
    }
    table.without_blanks()
}

/// A column whose cells come from the units of all audits.
pub(super) fn column(heading: &str, rows: usize, cell: impl FnMut(usize) -> String) -> Column {
    Column { heading: heading.to_owned(), cells: (0..rows).map(cell).map(Text::from).collect() }
}

/// A column of numbers with their marks.
fn marked(heading: &str, rows: usize, cell: impl FnMut(usize) -> (String, Option<Symbol>)) -> Column {
    Column { heading: heading.to_owned(), cells: aligned((0..rows).map(cell).collect()) }
}

/// The unit at a state, one value per seed.
pub(super) fn units<'a>(audits: &[&'a Audit], row: usize) -> Vec<Option<&'a UnitAudit>> {
    audits.iter().map(|audit| place::unit_at(audit, row)).collect()
}

/// The evidence about the unit at a state, where its credit acts, one value per seed.
pub(super) fn here<'a>(audits: &[&'a Audit], row: usize) -> Vec<Option<&'a Evidence>> {
    units(audits, row).into_iter().map(|unit| unit?.here.as_ref()).collect()
}

fn norms(audits: &[&Audit], rows: usize) -> Vec<Column> {
    let states = |row: usize, value: fn(&State) -> Option<f64>| -> Vec<Option<f64>> {
        audits.iter().map(|audit| audit.states.get(row).and_then(value)).collect()
    };
    let unit = |row: usize, value: fn(&UnitAudit) -> Option<f64>| -> Vec<Option<f64>> {
        units(audits, row).into_iter().map(|unit| unit.and_then(value)).collect()
    };
    vec![
        column("‖h‖", rows, |row| plain(&states(row, |state| state.hidden), show::scientific)),
        column("‖g‖ N=128", rows, |row| {
            plain(&states(row, |state| state.gradient), |p| show::scientific(at_floor(p)))
        }),
        column("‖a‖", rows, |row| plain(&unit(row, |unit| unit.credit), show::scientific)),
        column("drift", rows, |row| plain(&unit(row, |unit| unit.drift), show::scientific)),
        column("probe", rows, |row| plain(&states(row, |state| state.probe), show::share)),
    ]
}

fn nudge(evidence: &Evidence) -> Option<&Nudge> {
    evidence.nudges.get(evidence.nudges.len() / 2)
}

/// What the true gradient itself gives: the best that the credit could do.
fn best(audits: &[&Audit], rows: usize, legend: &mut Legend) -> Vec<Column> {
    let any = audits.iter().flat_map(|audit| &audit.units).any(|unit| {
        unit.here.as_ref().is_some_and(|evidence| evidence.rho.is_some() || !evidence.nudges.is_empty())
    });
    if any {
        legend.mark(Mark::Best);
    }
    let mut of = |heading: &str, value: fn(&Evidence) -> Option<Measured>, write: fn(f64) -> String| {
        marked(heading, rows, |row| {
            let values: Vec<Option<Measured>> =
                here(audits, row).into_iter().map(|evidence| evidence.and_then(value)).collect();
            (measured(&values, write, None, false, legend), None)
        })
    };
    vec![
        of("ρ of g", |e| e.rho.map(|rho: Rho| rho.gradient), show::signed),
        of("nudge of g", |e| nudge(e).map(|nudge| nudge.gradient), words::change),
    ]
}

fn judged(audits: &[&Audit], rows: usize, view: &View, legend: &mut Legend) -> Vec<Column> {
    let eta =
        audits.iter().flat_map(|audit| &audit.units).filter_map(|unit| unit.here.as_ref()).find_map(nudge);
    let eta = eta.map_or_else(String::new, |nudge| format!("nudge η={}", nudge.eta).replace("=0.", "=."));
    let clamped = view.torch.then(|| torch(audits, rows, legend)).flatten();
    let cosine = clamped.unwrap_or_else(|| cosine(audits, rows, legend));
    let chance = column("chance", rows, |row| band(&here(audits, row), Quantity::Cosine));
    let mut of =
        |heading: &str, of: Quantity, value: fn(&Evidence) -> Option<Measured>, write: fn(f64) -> String| {
            marked(heading, rows, |row| {
                let seeds = here(audits, row);
                let values: Vec<Option<Measured>> = seeds.iter().map(|e| e.and_then(value)).collect();
                with_mark(measured(&values, write, None, false, legend), &seeds, of, legend)
            })
        };
    let rho = of("ρ", Quantity::Rho, |e| e.rho.map(|rho| rho.value), show::signed);
    let nudge = of(&eta, Quantity::Nudge, |e| nudge(e).map(|nudge| nudge.change), words::change);
    vec![cosine, chance, rho, nudge, standings(audits, rows, legend)]
}

fn cosine(audits: &[&Audit], rows: usize, legend: &mut Legend) -> Column {
    marked("cosine", rows, |row| {
        let seeds = here(audits, row);
        with_mark(cells::cosine(&seeds, legend), &seeds, Quantity::Cosine, legend)
    })
}

/// What PyTorch would have said; chance was drawn for the exact cosine, so there is no mark. A log does not have it.
fn torch(audits: &[&Audit], rows: usize, legend: &mut Legend) -> Option<Column> {
    let value = |evidence: &Evidence| {
        let value = evidence.torch?;
        // PyTorch gives a number where the exact cosine has none.
        let why = evidence.cosine.why();
        Some(why.map_or(Measured::Defined { value }, |why| Measured::Unreliable { value, why }))
    };
    let column = marked("torch cosine", rows, |row| {
        let values: Vec<Option<Measured>> =
            here(audits, row).into_iter().map(|evidence| evidence.and_then(value)).collect();
        (measured(&values, show::signed, None, false, legend), None)
    });
    let known = column.cells.iter().any(|cell| !cell.is_blank());
    legend.mark(if known { Mark::Clamped } else { Mark::NotClamped });
    known.then_some(column)
}

/// A number with how it compares with chance; what has no number has no mark.
fn with_mark(
    cell: String,
    seeds: &[Option<&Evidence>],
    of: Quantity,
    legend: &mut Legend,
) -> (String, Option<Symbol>) {
    let bare = cell.is_empty() || cell.starts_with('–');
    let mark = if bare { None } else { mark(seeds, of, legend) };
    (cell, mark)
}

/// `✓ useful`, and `2/3` behind it where seeds differ; set to the left.
fn standings(audits: &[&Audit], rows: usize, legend: &mut Legend) -> Column {
    let mut cell = |row: usize| {
        let each: Vec<Standing> =
            units(audits, row).into_iter().flatten().map(|unit| unit.standing).collect();
        let Some((most, count)) = most_frequent(&each) else { return Text::default() };
        let (symbol, word) = words::standing(most);
        let text = Text::from(symbol).then(format!(" {word}"));
        let text = if is_inert(audits, row) == Some(true) {
            legend.inert(audits);
            text.then("°")
        } else {
            text
        };
        if count == each.len() {
            return text;
        }
        legend.mark(Mark::PartOfSeeds);
        text.then(format!(" {count}/{}", each.len()))
    };
    let cells: Vec<Text> = (0..rows).map(&mut cell).collect();
    let width = cells.iter().map(Text::width).max().unwrap_or(0).max("standing".len());
    let padded = |cell: Text| {
        let room = " ".repeat(width - cell.width());
        if cell.is_blank() { cell } else { cell.then(room) }
    };
    Column { heading: format!("{:<width$}", "standing"), cells: cells.into_iter().map(padded).collect() }
}
