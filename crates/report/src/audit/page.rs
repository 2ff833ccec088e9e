//! The page of a set of audits. The first screen has one row per group; with [`View::layers`] every run follows.

use super::checks::checks;
use super::detail::{at_input, mean_credit, nulls};
use super::gamma::gamma;
use super::layers::{evidence, sizes};
use super::legend::Legend;
use super::notes::notes;
use super::pairs::pairs;
use super::reach::reach;
use super::section::Section;
use super::sentence::{faults, sentence};
use super::summary::{basis, carried, cosines, dissent, results, short};
use super::training::training;
use super::warnings::warnings;
use super::{View, words};
use crate::page::{Block, Line, Page};
use crate::show::{Symbol, Table};
use record::audit::{Audit, AuditSet};

/// What there is to say about a set.
pub fn page(set: &AuditSet, view: &View) -> Page {
    let mut page = Page::default();
    let mut legend = Legend::default();
    let mut sections = Section::of(set, false);
    // A set of baselines alone is about them.
    if sections.is_empty() {
        sections = Section::of(set, true);
    }
    let of_units = match sections.as_slice() {
        // There is room for more about a single group.
        [only] if !view.layers => {
            vec![evidence(&only.audits, view, &mut legend), reach(&only.audits, &mut legend)]
        }
        _ => vec![cosines(&sections, &mut legend)],
    };
    page.section("", [Block::Table(results(&sections, &mut legend)), Block::Lines(dissent(&sections))]);
    page.section("", of_units.into_iter().map(Block::Table));
    let sentences = sections.iter().map(sentence).chain(faults(&sections)).collect();
    page.section("", [Block::Lines(sentences)]);
    if view.layers {
        sections.iter().for_each(|section| details(&mut page, section, view, &mut legend));
        page.section("differences, seed by seed", [pairs(set)]);
    } else {
        if let [only] = sections.as_slice() {
            let lines = gamma(only, view.include_unreliable).into_iter().chain(notes(only)).collect();
            page.section("", [Block::Lines(lines)]);
        }
        if sections.len() > 1 && view.include_unreliable {
            let lines = sections.iter().flat_map(|section| gamma(section, true)).collect();
            page.section("", [Block::Lines(lines)]);
        }
    }
    page.section("before you quote this", [Block::Lines(warnings(set))]);
    let basis = Some(basis(&sections)).filter(|basis| !basis.is_empty());
    let basis = basis.map(|basis| ("values".to_owned(), basis));
    let carried = carried(&sections).map(|words| ("loss changes".to_owned(), words));
    let training = training(&sections).map(|words| ("training".to_owned(), words));
    let lines = basis.into_iter().chain(carried).chain(training).chain(legend.lines());
    page.section("marks", [Block::Legend(lines.collect())]);
    page
}

/// The tables of each audit by itself, unit by unit, and what their marks mean.
pub fn unit_tables(audits: &[&Audit]) -> (Vec<Vec<Table>>, Vec<(String, String)>) {
    let mut legend = Legend::default();
    let view = View::default();
    let mut of = |&audit: &&Audit| {
        let one = [audit];
        let tables = [evidence(&one, &view, &mut legend), sizes(&one, &mut legend), reach(&one, &mut legend)];
        tables.into_iter().filter(|table| !table.is_empty()).collect()
    };
    let tables = audits.iter().map(&mut of).collect();
    (tables, legend.lines())
}

/// The verdict of an audit in a symbol and in words; a pass says how many units get no help from their credit.
pub fn verdict(audit: &Audit) -> (Symbol, String) {
    (words::verdict_symbol(&audit.verdict), short(&audit.verdict, &[audit]))
}

/// A group with all its checks and units, and every run by itself.
fn details(page: &mut Page, section: &Section<'_>, view: &View, legend: &mut Legend) {
    let several = section.audits.len() > 1;
    let over = if several {
        format!(", {}", words::Noun::Seeds.count(section.audits.len() as u64))
    } else {
        String::new()
    };
    let (table, remarks) = checks(section);
    page.section(&format!("{}{over}", section.name()), [Block::Table(table), Block::Lines(remarks)]);
    if several {
        let audits = &section.audits;
        let tables = [evidence(audits, view, legend), sizes(audits, legend), reach(audits, legend)];
        page.section("", tables.map(Block::Table));
    }
    let lines: Vec<Line> =
        gamma(section, view.include_unreliable).into_iter().chain(notes(section)).collect();
    page.section("", [Block::Lines(lines)]);
    for &audit in &section.audits {
        let tables = [
            evidence(&[audit], view, legend),
            sizes(&[audit], legend),
            reach(&[audit], legend),
            at_input(audit, legend),
            mean_credit(audit, legend),
            nulls(audit),
        ];
        page.section(if several { audit.subject.id() } else { "" }, tables.map(Block::Table));
    }
}
