//! The answer in factors: how often ‖h_L‖ multiplies in training with raw credit, and how often again when credit is divided by
//! its root mean square.

use super::cells::{Cells, Rule};
use crate::catalogue::request::{power, rounded};
use crate::catalogue::sentences::list;
use crate::reader::{Trial, clipping, geometric_mean};

// Places in [`record::normalise::NAMES`].
const SAMPLE: usize = 0;
const BATCH: usize = 1;
const RAW: usize = 2;

/// A geometric mean over so many seeds.
pub(super) struct Factor {
    value: f64,
    seeds: usize,
}

impl Factor {
    fn of(values: Vec<f64>) -> Option<Self> {
        let value = geometric_mean(&values).filter(|value| value.is_finite() && *value > 0.0)?;
        Some(Self { value, seeds: values.len() })
    }

    /// As label source, with two digits.
    fn words(&self) -> String {
        match self.value {
            v if v >= 1e6 => format!("${}$", power(v)),
            v if v >= 9.95 => rounded(v),
            v if v >= 0.095 => format!("{v:.1}"),
            v => format!("{v:.2}"),
        }
    }

    /// How many seeds it is of, where that is not all of them.
    fn of_seeds(&self, all: usize) -> Option<String> {
        (self.seeds < all).then(|| format!("{} of {all} seeds", self.seeds))
    }
}

fn norm(trial: &Trial) -> Option<f64> {
    trial.last()?.hidden_last()
}

/// ‖h_L‖ at the end over its value before training.
fn in_training(trials: &[&Trial]) -> Option<Factor> {
    let start = |trial: &Trial| trial.epochs.first().filter(|epoch| epoch.epoch == 0)?.hidden_last();
    Factor::of(trials.iter().filter_map(|trial| Some(norm(trial)? / start(trial)?)).collect())
}

/// ‖h_L‖ at the end of `trials` over that of `others`, by the seeds that both have.
fn against(trials: &[&Trial], others: &[&Trial]) -> Option<Factor> {
    let twin = |trial: &Trial| others.iter().find(|other| other.seed == trial.seed);
    Factor::of(trials.iter().filter_map(|trial| Some(norm(trial)? / norm(twin(trial)?)?)).collect())
}

/// What the headline says of a rule.
struct Part {
    rule: String,
    /// Growth in training with raw credit.
    raw: Option<Factor>,
    /// Further growth with credit divided by its root mean square per sample.
    more: Option<Factor>,
}

/// The sentence of the whole figure, about one of the clippings: that with most rules that have both factors, else the strongest.
pub(super) fn headline(cells: &Cells<'_>, name: impl Fn(&str) -> String) -> String {
    let parts = |clip: usize| -> Vec<Part> {
        let of_rule = |rule: &Rule<'_>| {
            let cell = &rule.cells[clip];
            let raw = in_training(&cell[RAW]);
            Part { rule: name(&rule.name), raw, more: against(&cell[SAMPLE], &cell[RAW]) }
        };
        cells.rules.iter().map(of_rule).collect()
    };
    let known = |clip: &usize| parts(*clip).iter().filter(|part| part.more.is_some()).count();
    let clip = (0..cells.clips.len()).max_by_key(known).unwrap_or(0);
    let parts = parts(clip);
    let said = |factor: fn(&Part) -> Option<&Factor>| -> Vec<String> {
        let words = |part: &Part| {
            let factor = factor(part)?;
            let seeds = factor.of_seeds(cells.seeds()).map_or(String::new(), |seeds| format!(", {seeds}"));
            Some(format!("{} ({}{seeds})", factor.words(), part.rule))
        };
        parts.iter().filter_map(words).collect()
    };
    let raw = said(|part| part.raw.as_ref());
    let more = said(|part| part.more.as_ref());
    let lacking = parts.iter().filter(|part| part.raw.is_none() || part.more.is_none());
    let lacking: Vec<String> = lacking.map(|part| part.rule.clone()).collect();
    let clipping = capital(&clipping(cells.clips[clip]));
    let mut words = match raw.as_slice() {
        [] => return format!("{clipping}: no run with raw credit has ended"),
        raw => format!("{clipping}: with raw credit, training multiplies $\\|h_L\\|$ by {}", list(raw)),
    };
    if !more.is_empty() {
        let more = list(&more);
        words.push_str(&format!("; with credit divided by its RMS per sample, by a further {more}"));
    }
    if !lacking.is_empty() {
        words.push_str(&format!("; {} not complete", list(&lacking)));
    }
    words
}

/// What is to be said about one rule, clipping by clipping.
pub(super) fn caption(rule: &Rule<'_>, cells: &Cells<'_>) -> String {
    let of_clip = |(cell, clip): (&[Vec<&Trial>; 3], &f64)| {
        let clipping = capital(&clipping(*clip));
        let all = cells.seeds();
        let times = |factor: &Factor| {
            let seeds = factor.of_seeds(all).map_or(String::new(), |seeds| format!(" ({seeds})"));
            format!("×{}{seeds}", factor.words())
        };
        let Some(raw) = in_training(&cell[RAW]) else {
            return format!("{clipping}: raw credit not run");
        };
        let more = |place: usize, words: &str| {
            let factor = against(&cell[place], &cell[RAW]);
            factor.map_or(format!("{words} not run"), |factor| format!("{words} {} that", times(&factor)))
        };
        let more = [more(BATCH, "per batch"), more(SAMPLE, "per sample")];
        format!("{clipping}: raw credit {}, {}", times(&raw), more.join(", "))
    };
    let parts: Vec<String> = rule.cells.iter().zip(&cells.clips).map(of_clip).collect();
    parts.join(". ")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
