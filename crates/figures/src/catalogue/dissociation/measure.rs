//! The measures of a rule: accuracy, and means over its reliable units.

use crate::catalogue::meaning;
use crate::plot::{Interval, Spread};
use crate::reader::{Statistics, Trial, statistics};
use record::Measured;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Cosine,
    Accuracy,
    Rho,
    Nudge,
}

impl Measure {
    pub(super) const ALL: [Self; 4] = [Self::Cosine, Self::Accuracy, Self::Rho, Self::Nudge];

    /// As label source.
    pub(super) fn label(self) -> &'static str {
        if self == Self::Rho { "$\\rho$" } else { self.word() }
    }

    /// In plain words.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Cosine => "cosine",
            Self::Accuracy => "accuracy",
            Self::Rho => "ρ",
            Self::Nudge => "nudge",
        }
    }

    /// The quantity of its marks: where credit acts (`here`), or at the input of a block.
    pub(super) fn series(self, here: bool) -> &'static str {
        match (self, here) {
            (Self::Accuracy, _) => meaning::TEST_ACCURACY,
            (Self::Cosine, true) => meaning::COSINE,
            (Self::Cosine, false) => meaning::COSINE_AT_INPUT,
            (Self::Rho, true) => meaning::RHO,
            (Self::Rho, false) => meaning::RHO_AT_INPUT,
            (Self::Nudge, true) => meaning::NUDGE,
            (Self::Nudge, false) => meaning::NUDGE_AT_INPUT,
        }
    }

    /// The value with the sign that makes more better: a nudge should lower the loss.
    pub(super) fn merit(self, value: f64) -> f64 {
        if self == Self::Nudge { -value } else { value }
    }

    fn units(self, trial: &Trial, here: bool) -> &[Option<Measured>] {
        let layers = &trial.final_layers;
        match (self, here) {
            (Self::Accuracy, _) => &[],
            (Self::Cosine, true) => &layers.cosine,
            (Self::Cosine, false) => &layers.cosine_at_input,
            (Self::Rho, true) => &layers.rho,
            (Self::Rho, false) => &layers.rho_at_input,
            (Self::Nudge, true) => &layers.nudge,
            (Self::Nudge, false) => &layers.nudge_at_input,
        }
    }
}

/// A measure of a rule, over its seeds.
#[derive(Clone, Copy)]
pub(super) struct Summary {
    pub(super) over_seeds: Statistics,
    /// What its error bar shows.
    pub(super) error: Option<Interval>,
    /// Fewest and most units in a seed's mean, out of how many; `None` for the accuracy.
    units: Option<(usize, usize, usize)>,
}

impl Summary {
    /// Whether no unit was left out.
    pub(super) fn is_whole(&self) -> bool {
        self.units.is_none_or(|(least, _, of)| least == of)
    }

    /// How many units it covers, if not all: `1 of 5`.
    pub(super) fn share(&self) -> Option<String> {
        let (least, most, of) = self.units.filter(|(least, _, of)| least < of)?;
        Some(if least == most { format!("{least} of {of}") } else { format!("{least}–{most} of {of}") })
    }
}

/// A measure over the seeds that have it. Every measure is over the units with a reliable cosine, so that both axes of a
/// panel cover the same units.
pub(super) fn summary(measure: Measure, trials: &[&Trial], here: bool, spread: Spread) -> Option<Summary> {
    let whole = |values: &[f64], units| {
        let error = spread.about(values, false)?.1;
        Some(Summary { over_seeds: statistics(values.iter().copied())?, error, units })
    };
    if measure == Measure::Accuracy {
        return whole(&trials.iter().filter_map(|trial| trial.accuracy()).collect::<Vec<_>>(), None);
    }
    let mut means = Vec::new();
    let mut units: Option<(usize, usize, usize)> = None;
    for trial in trials {
        let list = measure.units(trial, here);
        let cosines = Measure::Cosine.units(trial, here).iter();
        let reliable = cosines.map(|cosine| cosine.as_ref().is_some_and(|m| m.defined().is_some()));
        let both =
            list.iter().zip(reliable).filter(|(_, reliable)| *reliable).filter_map(|(m, _)| m.as_ref());
        let defined: Vec<f64> = both.filter_map(Measured::defined).collect();
        let Some(mean) = statistics(defined.iter().copied()) else { continue };
        means.push(mean.mean);
        let count = defined.len();
        let (least, most, of) = units.unwrap_or((count, count, list.len()));
        units = Some((least.min(count), most.max(count), of.max(list.len())));
    }
    whole(&means, units)
}
