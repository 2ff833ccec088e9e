//! The first screen: one row per group with its verdict and what it is worth, and the cosine of every unit.

use super::cells::{aligned, measured};
use super::layers::{here, rows, units};
use super::legend::{Legend, Mark};
use super::place;
use super::reach::is_inert;
use super::section::Section;
use super::words::{self, Noun};
use crate::page::Line;
use crate::show::{self, Table, Text, Tone};
use protocol::{last_gradient, most_frequent, statistics, unhelped};
use record::Unit;
use record::audit::{Audit, Carried, CheckId, Verdict};

/// `✗ dfa   FAIL(D1+D2+D3)   .551 ±.011   .622   6.6e4   4.1e-8   5.2e-8`: means over the seeds.
pub(super) fn results(sections: &[Section<'_>], legend: &mut Legend) -> Table {
    let mut table = Table::new(&["rule", "verdict", "accuracy", "frozen", "growth", "‖g_L‖", "/‖e_T‖"], 2);
    for section in sections {
        let symbol = words::verdict_symbol(&section.group.verdict);
        let agree = section.group.agree as usize;
        let all = section.audits.len();
        let part = if agree == all { String::new() } else { format!(" {agree}/{all}") };
        if agree < all {
            legend.mark(Mark::PartOfSeeds);
        }
        let mean = |id: CheckId, write: fn(f64) -> String| {
            let values = section.values(|audit| words::check(audit, id)?.statistic);
            statistics(values).map_or_else(String::new, |found| write(found.mean))
        };
        let frozen = statistics(section.values(|audit| audit.frozen));
        table.row(vec![
            Text::from(symbol).then(format!(" {}", section.name())),
            Text::toned(symbol.tone(), short(&section.group.verdict, &section.audits)).then(part),
            words::spread(&section.values(|audit| audit.accuracy)).unwrap_or_default().into(),
            frozen.map_or_else(String::new, |found| show::share(found.mean)).into(),
            mean(CheckId::D1, show::scientific).into(),
            mean(CheckId::D2, show::scientific).into(),
            ratio(section).into(),
        ]);
        section.audits.iter().flat_map(|audit| &audit.checks).for_each(|check| legend.check(check));
    }
    table.without_blanks()
}

/// ‖g_L‖/‖e_T‖: a solved task shrinks the gradient without any fault, which this ratio shows.
fn ratio(section: &Section<'_>) -> String {
    let ratio = |audit: &Audit| {
        let gradient = last_gradient(audit.states.iter().map(|state| state.gradient))?;
        audit.error.filter(|&error| error > 0.0).map(|error| gradient / error)
    };
    statistics(section.values(ratio)).map_or_else(String::new, |found| show::scientific(found.mean))
}

/// `PASS`, `PASS (D3 ?, 2/5 at chance)`, `FAIL(D1+D2)`. A pass says how many units get no help from their credit.
pub(super) fn short(verdict: &Verdict, audits: &[&Audit]) -> String {
    let Verdict::Pass { open } = verdict else { return verdict.words() };
    let standings =
        |state: usize| units(audits, state).into_iter().flatten().map(|unit| unit.standing).collect();
    let open: Vec<&str> = open.iter().map(|id| id.name()).collect();
    let open = (!open.is_empty()).then(|| format!("{} ?", open.join("+")));
    let remarks: Vec<String> = open.into_iter().chain(unhelped((0..rows(audits)).map(standings))).collect();
    if remarks.is_empty() { "PASS".to_owned() } else { format!("PASS ({})", remarks.join(", ")) }
}

/// Seeds with another verdict than their group: a failure must not hide behind a majority.
pub(super) fn dissent(sections: &[Section<'_>]) -> Vec<Line> {
    let of = |section: &Section<'_>| {
        let others = section.audits.iter().filter(|audit| audit.verdict != section.group.verdict);
        let line = |audit: &&Audit| {
            let words = format!("{}: {}", audit.subject.id(), short(&audit.verdict, &[audit]));
            Line::new(Some(words::verdict_symbol(&audit.verdict)), words)
        };
        others.map(line).collect::<Vec<_>>()
    };
    sections.iter().flat_map(of).collect()
}

/// The cosine of every unit, with the unit's standing: a pass must not hide layers that learn nothing.
pub(super) fn cosines(sections: &[Section<'_>], legend: &mut Legend) -> Table {
    let states = |section: &Section<'_>| section.audits.iter().map(|audit| place::states(audit)).max();
    let states = sections.iter().filter_map(states).max().unwrap_or(0);
    let name = |state: usize| match Unit::at(state) {
        Unit::Embed => "embed".to_owned(),
        Unit::Block(block) => format!("b{block}"),
    };
    let names: Vec<String> = (0..states).map(name).collect();
    let heading: Vec<&str> = std::iter::once("cosine").chain(names.iter().map(String::as_str)).collect();
    let mut column = |state: usize| {
        let cell = |section: &Section<'_>| {
            let seeds = here(&section.audits, state);
            let values: Vec<_> = seeds.iter().map(|evidence| evidence.map(|e| e.cosine)).collect();
            let each: Vec<_> =
                units(&section.audits, state).into_iter().flatten().map(|unit| unit.standing).collect();
            let symbol = most_frequent(&each).map(|(most, _)| legend.standing(most));
            (measured(&values, show::signed, None, false, legend), symbol)
        };
        let cells = aligned(sections.iter().map(cell).collect());
        let inert = |section: &Section<'_>| is_inert(&section.audits, state) == Some(true);
        if !sections.iter().any(inert) {
            return cells;
        }
        let marked = |(cell, section): (Text, &Section<'_>)| match inert(section) {
            true => {
                legend.inert(&section.audits);
                cell.then("°")
            }
            false if cell.is_blank() => cell,
            false => cell.then(" "),
        };
        cells.into_iter().zip(sections).map(marked).collect()
    };
    let columns: Vec<Vec<Text>> = (0..states).map(&mut column).collect();
    let mut table = Table::new(&heading, 1);
    for (row, section) in sections.iter().enumerate() {
        let cells = columns.iter().map(|column| column[row].clone());
        table.row(std::iter::once(Text::toned(Tone::Plain, section.name())).chain(cells).collect());
    }
    table.without_blanks()
}

/// How the loss changes were found, where differences were carried: how many of them were compared with whole passes, how far
/// they were apart, and which units did without them.
pub(super) fn carried(sections: &[Section<'_>]) -> Option<String> {
    let audits = sections.iter().flat_map(|section| &section.audits);
    let found: Vec<(&Audit, &Carried)> =
        audits.filter_map(|audit| Some((*audit, audit.carried.as_ref()?))).collect();
    let largest = found.iter().map(|(_, carried)| carried.largest).reduce(f64::max)?;
    let compared = found.iter().map(|(_, carried)| carried.compared).sum();
    let replaced = |(audit, carried): &(&Audit, &Carried)| {
        let units: Vec<String> = carried.replaced.iter().map(ToString::to_string).collect();
        (!units.is_empty())
            .then(|| format!("f64 passes in their place at {} of {}", show::list(&units), audit.subject.id()))
    };
    let replaced: Vec<String> = found.iter().filter_map(replaced).collect();
    let agreement = format!(
        "differences carried through the layers; {} compared with f64 passes, at most {largest:.0e} apart",
        show::count(compared)
    );
    Some([vec![agreement], replaced].concat().join("; "))
}

/// `epoch 15, 1,280 samples, mean ± sd over 3 seeds`, as far as the groups agree.
pub(super) fn basis(sections: &[Section<'_>]) -> String {
    let audits = || sections.iter().flat_map(|section| &section.audits);
    let common = |value: fn(&Audit) -> Option<u64>| {
        let first = audits().next().and_then(|audit| value(audit));
        first.filter(|_| audits().all(|audit| value(audit) == first))
    };
    let seeds = || sections.iter().map(|section| section.audits.len());
    let most = seeds().max().unwrap_or(0);
    let least = seeds().min().unwrap_or(0);
    let over = match (least, most) {
        (_, 0 | 1) => None,
        _ if least == most => Some(format!("mean ± sd (n−1) over {most} seeds")),
        _ => Some(format!("mean ± sd (n−1) over {least} to {most} seeds")),
    };
    let epoch = common(|audit| audit.epoch).map(|epoch| format!("epoch {epoch}"));
    let samples = common(|audit| Some(audit.samples)).map(|n| Noun::Samples.count(n));
    epoch.into_iter().chain(samples).chain(over).collect::<Vec<_>>().join(", ")
}
