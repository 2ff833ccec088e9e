//! How raw credit becomes the signal that a unit descends: divided by its root mean square, or as it is.
//!
//! With division, every sample pulls with the same force however small its error is, and the residual stream grows much faster.

use crate::RuleSpec;
use crate::keys::{KeyKind, RuleKey, Value};
use nn::State;
use tensor::{Float, rms_factor, rms_normalise};

/// What a unit's raw credit is divided by before training uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalise {
    /// The root mean square of each sample's credit, plus 1e-6: the recipe of the paper.
    Sample,
    /// The root mean square over all samples of the batch, plus 1e-6.
    Batch,
    /// Nothing.
    None,
}

const KEY: &str = "rule.normalise";

/// The key of most rules.
pub(crate) const NORMALISE: RuleKey = RuleKey::new(
    KEY,
    KeyKind::Word(&record::normalise::NAMES),
    Value::Word("sample"),
    "Divides credit by its root mean square over each sample or over the batch, or not at all.",
);

/// That of rules whose credit is used as it is, because its mean over the batch is the gradient.
pub(crate) const NOT_NORMALISED: RuleKey =
    RuleKey::new(KEY, NORMALISE.kind, Value::Word("none"), NORMALISE.help);

impl Normalise {
    /// What a rule's spec says.
    pub fn of(spec: &RuleSpec) -> Self {
        match spec.word(KEY) {
            "batch" => Self::Batch,
            "none" => Self::None,
            _ => Self::Sample,
        }
    }

    /// From raw credit to the signal, sample by sample; of each the first `reach` values of a state have credit.
    pub(crate) fn apply<T: Float>(self, credit: &[T], state: State, reach: usize, signal: &mut [T]) {
        let width = state.width();
        let reached = || credit.chunks_exact(width).map(|row| &row[..reach]);
        match self {
            Self::Sample if reach == width => rms_normalise(credit, width, signal),
            Self::Sample => {
                for (row, signal) in reached().zip(signal.chunks_exact_mut(width)) {
                    rms_normalise(row, reach, &mut signal[..reach]);
                }
            }
            Self::None if reach == width => signal.copy_from_slice(credit),
            Self::Batch | Self::None => {
                let factor = if self == Self::Batch { T::of(rms_factor(reached())) } else { T::ONE };
                for (row, signal) in reached().zip(signal.chunks_exact_mut(width)) {
                    signal.iter_mut().zip(row).for_each(|(s, &a)| *s = a * factor);
                }
            }
        }
    }
}
