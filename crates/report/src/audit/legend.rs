//! What the marks mean, a line each: only those that were used.

use super::words;
use crate::show;
use record::Why;
use record::audit::{CheckId, NullKind};
use std::collections::BTreeSet;

/// A mark in a table, in the order in which they are explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    OpenVerdict,
    Units,
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
}

impl Mark {
    /// The mark and what it means.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::OpenVerdict => ("? PASS", "nothing fired, but not everything could be checked"),
            Self::Units => ("units", "the standing of each, in the order of the tables"),
            Self::OverSeeds => ("±", "standard deviation (n−1) over seeds, behind their mean"),
            Self::OverSamples => ("±", "of a single run: standard deviation over samples"),
            Self::Beats => ("✓", "beside a number: better than every draw of chance"),
            Self::Within => ("·", "beside a number: no better than chance"),
            Self::Worse => ("✗", "beside a number: worse than every draw of chance"),
            Self::SeedsDiffer => ("?", "beside a number: seeds differ in how it stands against chance"),
            Self::PartOfSeeds => ("2/3", "in two of three seeds"),
            Self::Clamped => (
                "torch",
                "norms below 1e-8 count as 1e-8, so that the cosine goes to 0; Γ is of the exact one",
            ),
            Self::NotClamped => ("torch", "not known everywhere: a column named cosine is the exact one"),
            Self::Norms => {
                ("‖h‖ ‖g‖ ‖a‖", "medians over samples of state, gradient of a mean over 128, credit")
            }
            Self::Best => ("of g", "what the true gradient itself gives there: the best to be had"),
        }
    }
}

/// The marks that were used so far.
#[derive(Debug, Default)]
pub(super) struct Legend {
    marks: BTreeSet<Mark>,
    unreliable: BTreeSet<Why>,
    undefined: BTreeSet<Why>,
    chances: BTreeSet<NullKind>,
    draws: BTreeSet<u64>,
    checks: BTreeSet<CheckId>,
}

impl Legend {
    pub(super) fn mark(&mut self, mark: Mark) {
        self.marks.insert(mark);
    }

    pub(super) fn unreliable(&mut self, why: Why) {
        self.unreliable.insert(why);
    }

    pub(super) fn undefined(&mut self, why: Why) {
        self.undefined.insert(why);
    }

    pub(super) fn chance(&mut self, kind: NullKind, draws: u64) {
        self.chances.insert(kind);
        self.draws.insert(draws);
    }

    pub(super) fn check(&mut self, check: CheckId) {
        self.checks.insert(check);
    }

    /// A line a mark; nothing where none was used.
    pub(super) fn text(&self) -> String {
        let mut lines: Vec<(&str, String)> = self
            .marks
            .iter()
            .map(|mark| mark.words())
            .map(|(mark, words)| (mark, words.to_owned()))
            .collect();
        let because =
            |whys: &BTreeSet<Why>| whys.iter().map(|why| why.words()).collect::<Vec<_>>().join("; or ");
        if !self.unreliable.is_empty() {
            lines.push(("( )", format!("not to be relied upon: {}", because(&self.unreliable))));
        }
        if !self.undefined.is_empty() {
            lines.push(("–", format!("no such number: {}", because(&self.undefined))));
        }
        if !self.chances.is_empty() {
            let kinds: Vec<&str> = self.chances.iter().map(|&kind| words::null_kind(kind)).collect();
            let draws: Vec<String> = self.draws.iter().map(u64::to_string).collect();
            let (draws, kinds) = (draws.join(" or "), kinds.join(" or "));
            lines.push(("chance", format!("smallest to largest of {draws} draws each with {kinds}")));
        }
        // The graver checks come first, and one of them is the likeliest question.
        if let Some(check) = self.checks.first() {
            lines.push(("more", format!("creditscope explain {}, or any other word above", check.name())));
        }
        let width = lines.iter().map(|(mark, _)| mark.chars().count()).max().unwrap_or(0);
        let line = |(mark, words): &(&str, String)| {
            let pad = " ".repeat(width - mark.chars().count());
            let rest = show::hanging(words, width + 2, width + 2);
            format!("{mark}{pad}{}\n", &rest[width..])
        };
        lines.iter().map(line).collect()
    }
}
