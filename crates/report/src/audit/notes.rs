//! Evidence that disagrees with itself or between seeds, in words. What several units or seeds have in common is said once.

use super::cells::disagreements;
use super::layers::here;
use super::place;
use super::section::Section;
use super::words::which;
use crate::page::Line;
use crate::show::{self, Symbol, list, unit_names};
use protocol::{Chance, against_chance, gathered};
use record::Unit;
use record::audit::{Audit, Evidence, Quantity, Standing, UnitAudit};

/// Cosines that differ by more than this are another number.
const CLAMPED: f64 = 0.01;

/// A sentence, the units that it is about and the audits that it holds for.
#[derive(Default)]
struct Said<'a>(Vec<(String, Vec<Unit>, Vec<&'a Audit>)>);

impl<'a> Said<'a> {
    /// Seeds join a sentence about the same unit, units one about the same seeds.
    fn say(&mut self, words: String, unit: Unit, audits: Vec<&'a Audit>) {
        let same = |a: &[&Audit], b: &[&Audit]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| std::ptr::eq(*a, *b))
        };
        match self.0.iter_mut().find(|(known, _, of)| *known == words && same(of, &audits)) {
            Some((_, units, _)) => units.push(unit),
            None => self.0.push((words, vec![unit], audits)),
        }
    }

    fn lines(&self, all: usize) -> impl Iterator<Item = Line> {
        self.0.iter().map(move |(words, units, audits)| {
            let which = which(audits, all);
            let which = if which.is_empty() { which } else { format!(" ({which})") };
            Line::new(Some(Symbol::Open), format!("{}: {words}{which}", unit_names(units)))
        })
    }
}

/// One line per thought.
pub(super) fn notes(section: &Section<'_>) -> Vec<Line> {
    let states = section.audits.iter().map(|audit| place::states(audit)).max().unwrap_or(0);
    let mut said = Said::default();
    for state in 0..states {
        let of_unit = section.audits.iter().copied();
        let of_unit = of_unit.filter_map(|audit| Some((of_seed(place::unit_at(audit, state)?)?, audit)));
        for (words, audits) in gathered(of_unit) {
            said.say(words, Unit::at(state), audits);
        }
        if section.audits.len() > 1 {
            for words in disagreements(&here(&section.audits, state)) {
                said.say(words, Unit::at(state), section.audits.clone());
            }
        }
    }
    said.lines(section.audits.len()).chain(clamped(section)).collect()
}

/// Which measurements speak for the credit of a unit, where they do not agree or the reference is no help.
fn of_seed(unit: &UnitAudit) -> Option<String> {
    let evidence = unit.here.as_ref()?;
    let compared = |wanted: fn(Chance) -> bool| -> Vec<&str> {
        let of = |of: &Quantity| against_chance(evidence, *of).is_some_and(wanted);
        Quantity::ALL.into_iter().filter(of).map(Quantity::name).collect()
    };
    let beat = compared(|chance| chance == Chance::Beats);
    let verb = if beat.len() == 1 { "beats" } else { "beat" };
    match unit.standing {
        Standing::Mixed => {
            let rest = compared(|chance| chance != Chance::Beats);
            let not = if rest.len() == 1 { "does not" } else { "do not" };
            Some(format!("{} {verb} chance, {} {not}", list(&beat), list(&rest)))
        }
        Standing::CannotBeJudged if !beat.is_empty() => {
            let why = evidence.cosine.why().map_or("", |why| why.words());
            Some(format!("{} {verb} chance, but {why}", list(&beat)))
        }
        _ => None,
    }
}

/// Where a cosine that clamps norms, as PyTorch's does, would show another number.
fn clamped(section: &Section<'_>) -> Option<Line> {
    let differs = |evidence: &Evidence| {
        let by = (evidence.torch? - evidence.cosine.value()?).abs();
        (by > CLAMPED).then_some(by)
    };
    let units = section.audits.iter().flat_map(|audit| &audit.units);
    let found: Vec<(Unit, f64)> =
        units.filter_map(|unit| Some((unit.unit, differs(unit.here.as_ref()?)?))).collect();
    let most = found.iter().map(|(_, by)| *by).reduce(f64::max)?;
    let mut units: Vec<Unit> = found.into_iter().map(|(unit, _)| unit).collect();
    units.sort_unstable();
    units.dedup();
    let words = format!(
        "{}: a cosine that clamps norms at 1e-8, as PyTorch's does, differs by up to {}",
        unit_names(&units),
        show::share(most)
    );
    Some(Line::new(Some(Symbol::Open), words))
}
