//! A line for each group: what came out, in how many seeds, and what it is worth.

use super::cells::standing;
use super::legend::{Legend, Mark};
use super::place;
use super::section::Section;
use super::words::{self, verdict_symbol};
use crate::show::{self, Table};
use protocol::statistics;
use record::audit::{Audit, Verdict};

/// `✗ dfa   FAIL(D1+D2+D3)   3/3 seeds   units ✓????   test .551 ±.011 (frozen .622)`, a line a group; seeds with another
/// verdict stand beneath.
pub(super) fn headline(sections: &[Section<'_>], legend: &mut Legend) -> String {
    let several = sections.iter().any(|section| section.audits.len() > 1);
    let mut table = Table::bare(5);
    for section in sections {
        let verdict = &section.group.verdict;
        if matches!(verdict, Verdict::Pass { open } if !open.is_empty()) {
            legend.mark(Mark::OpenVerdict);
        }
        let name = format!("{} {}", verdict_symbol(verdict), section.name());
        let seeds = several.then(|| agreement(section));
        let rest = [strip(section, legend), worth(section)];
        table.row([name, verdict.words()].into_iter().chain(seeds).chain(rest).collect());
    }
    let mut text = String::new();
    for (line, section) in table.text().lines().zip(sections) {
        text.push_str(&format!("{line}\n{}", dissent(section)));
    }
    text
}

/// The standing of each unit in a symbol, in the order of the tables: a pass must not hide layers that learn nothing.
fn strip(section: &Section<'_>, legend: &mut Legend) -> String {
    let states = section.audits.iter().map(|audit| place::states(audit)).max().unwrap_or(0);
    let symbol = |state: usize| {
        let at = |audit: &&Audit| Some(place::unit_at(audit, state)?.standing);
        let each: Vec<_> = section.audits.iter().filter_map(at).collect();
        standing(&each).map_or("", |(most, _)| words::standing(most).0)
    };
    let symbols: String = (0..states).map(symbol).collect();
    if symbols.is_empty() {
        return symbols;
    }
    legend.mark(Mark::Units);
    format!("units {symbols}")
}

/// `3/3 seeds` have the verdict of the group.
fn agreement(section: &Section<'_>) -> String {
    match section.audits.len() {
        1 => if section.audits[0].subject.seed().is_some() { "1 seed" } else { "" }.to_owned(),
        n => format!("{}/{n} seeds", section.group.agree),
    }
}

/// A failure must not hide behind a majority.
fn dissent(section: &Section<'_>) -> String {
    let others = section.audits.iter().filter(|audit| audit.verdict != section.group.verdict);
    let line = |audit: &&Audit| {
        format!("    {} {}: {}\n", verdict_symbol(&audit.verdict), words::label(audit), audit.verdict.words())
    };
    others.map(line).collect()
}

fn worth(section: &Section<'_>) -> String {
    let Some(accuracy) = words::spread(&section.values(|audit| audit.accuracy)) else { return String::new() };
    let accuracy = format!("test {accuracy}");
    match statistics(section.values(|audit| audit.frozen)) {
        Some(frozen) => format!("{accuracy} (frozen {})", show::share(frozen.mean)),
        None => accuracy,
    }
}

/// Baselines in a line or two: they are there for D3, and their credit is nobody's concern.
pub(super) fn baselines(sections: &[Section<'_>]) -> String {
    let each = sections.iter().filter_map(|section| {
        let accuracy = words::spread(&section.values(|audit| audit.accuracy))?;
        Some(format!("{} {accuracy}", section.name()))
    });
    let each: Vec<String> = each.collect();
    if each.is_empty() {
        return String::new();
    }
    format!("{}\n", show::wrap(&format!("Frozen baselines: {}.", each.join(", ")), 2))
}
