//! What the marks mean: only those that were used.

use super::words::{self, limit, statistic_name};
use crate::show::{self, Symbol};
use protocol::inert_limit;
use record::Why;
use record::audit::{Audit, CheckId, CheckResult, NullKind, Standing};
use std::collections::{BTreeMap, BTreeSet};

/// A mark in a table, in the order in which they are explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    OverSeeds,
    OverSamples,
    Beats,
    Within,
    Worse,
    SeedsDiffer,
    PartOfSeeds,
    Clamped,
    NotClamped,
    Norms,
    Best,
    Expected,
    Reach,
}

impl Mark {
    /// The mark and what it means.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::OverSeeds => ("±", "standard deviation (n−1) over seeds, behind their mean"),
            Self::OverSamples => ("±", "of a single run: standard deviation over samples"),
            Self::Beats => ("✓", "beside a number: better than every draw of chance"),
            Self::Within => ("·", "beside a number: no better than chance"),
            Self::Worse => ("✗", "beside a number: worse than every draw of chance"),
            Self::SeedsDiffer => ("?", "beside a number: seeds differ in how it compares with chance"),
            Self::PartOfSeeds => ("2/3", "in two of three seeds"),
            Self::Clamped => (
                "torch",
                "norms below 1e-8 count as 1e-8, so that the cosine goes to 0; Γ is of the exact one",
            ),
            Self::NotClamped => ("torch", "not known everywhere: a column named cosine is the exact one"),
            Self::Norms => {
                ("‖h‖ ‖g‖ ‖a‖", "medians over samples of state, gradient of a mean over 128, credit")
            }
            Self::Reach => (
                "a step",
                "along the true gradient: change of the loss, as a share of it; ‖p‖·‖h‖ is the change of the loss per relative \
                 change of the state",
            ),
            Self::Best => ("of g", "what the true gradient itself gives there: the best possible"),
            Self::Expected => ("expected", "cosine if each draw is the gradient plus noise; less means bias"),
        }
    }
}

/// The marks that were used so far.
#[derive(Debug, Default)]
pub(super) struct Legend {
    marks: BTreeSet<Mark>,
    standings: BTreeSet<Standing>,
    unreliable: BTreeSet<Why>,
    undefined: BTreeSet<Why>,
    chances: BTreeSet<NullKind>,
    draws: BTreeSet<u64>,
    limits: BTreeMap<CheckId, BTreeSet<String>>,
    inert: BTreeSet<String>,
    directions: BTreeSet<u64>,
}

impl Legend {
    pub(super) fn mark(&mut self, mark: Mark) {
        self.marks.insert(mark);
    }

    /// Notes a cosine that is estimated from so many directions.
    pub(super) fn estimated(&mut self, directions: u64) {
        self.directions.insert(directions);
    }

    /// The symbol of a standing, which is then explained.
    pub(super) fn standing(&mut self, standing: Standing) -> Symbol {
        self.standings.insert(standing);
        words::standing(standing).0
    }

    pub(super) fn unreliable(&mut self, why: Why) {
        self.unreliable.insert(why);
    }

    /// The word for a unit that training cannot reach, which is then explained.
    pub(super) fn inert(&mut self, audits: &[&Audit]) -> &'static str {
        for audit in audits {
            let effects = audit.units.iter().filter_map(|unit| unit.effect);
            let limits = effects.filter_map(|e| inert_limit(e.moved, &audit.settings.thresholds));
            self.inert.extend(limits.map(show::scientific));
        }
        "inert"
    }

    pub(super) fn undefined(&mut self, why: Why) {
        self.undefined.insert(why);
    }

    pub(super) fn chance(&mut self, kind: NullKind, draws: u64) {
        self.chances.insert(kind);
        self.draws.insert(draws);
    }

    pub(super) fn check(&mut self, check: &CheckResult) {
        self.limits.entry(check.check).or_default().insert(limit(check.check, check.threshold));
    }

    /// One line per mark; nothing where none was used.
    pub(super) fn lines(&self) -> Vec<(String, String)> {
        let mut lines: Vec<(&str, String)> = Vec::new();
        let limits = [CheckId::D1, CheckId::D2, CheckId::D3].into_iter().filter_map(|id| {
            let limits: Vec<&str> = self.limits.get(&id)?.iter().map(String::as_str).collect();
            Some(format!("{} {} {}", id.name(), statistic_name(id), limits.join(" or ")))
        });
        let limits: Vec<String> = limits.collect();
        if !limits.is_empty() {
            lines.push(("passes", limits.join(", ")));
        }
        let standings = |symbol: Symbol| {
            let same = self.standings.iter().map(|&standing| words::standing(standing));
            let same: Vec<&str> = same.filter(|(of, _)| *of == symbol).map(|(_, word)| word).collect();
            (!same.is_empty()).then(|| format!("{} {}", symbol.sign(), same.join(" or ")))
        };
        let standings =
            [Symbol::Good, Symbol::Chance, Symbol::Open, Symbol::Bad].into_iter().filter_map(standings);
        let standings: Vec<String> = standings.collect();
        if !standings.is_empty() {
            lines.push(("credit", standings.join(", ")));
        }
        lines
            .extend(self.marks.iter().map(|mark| mark.words()).map(|(mark, words)| (mark, words.to_owned())));
        if !self.inert.is_empty() {
            let limits: Vec<&str> = self.inert.iter().map(String::as_str).collect();
            let words = format!(
                "inert: a step along the gradient changes the loss by < {} of it",
                limits.join(" or ")
            );
            lines.push(("°", words));
        }
        if !self.directions.is_empty() {
            let directions: Vec<String> = self.directions.iter().map(u64::to_string).collect();
            let words = format!(
                "estimated from {} random directions of each sample, with its 95 % interval",
                directions.join(" or ")
            );
            lines.push(("≈", words));
        }
        let because =
            |whys: &BTreeSet<Why>| whys.iter().map(|why| why.words()).collect::<Vec<_>>().join("; or ");
        if !self.unreliable.is_empty() {
            lines.push(("( )", format!("unreliable: {}", because(&self.unreliable))));
        }
        if !self.undefined.is_empty() {
            lines.push(("–", format!("undefined: {}", because(&self.undefined))));
        }
        if !self.chances.is_empty() {
            let kinds: Vec<String> = self.chances.iter().map(|&kind| words::null_kind(kind)).collect();
            let draws: Vec<String> = self.draws.iter().map(u64::to_string).collect();
            let words = format!(
                "smallest to largest of {} draws each with {}",
                draws.join(" or "),
                kinds.join(" or ")
            );
            lines.push(("chance", words));
        }
        lines.into_iter().map(|(mark, words)| (mark.to_owned(), words)).collect()
    }
}
