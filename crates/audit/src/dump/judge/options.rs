//! What a dump cannot know of itself, and how it is judged.

use crate::dump::Fault;
use protocol::{Thresholds, settings};
use record::Remedy;
use record::audit::Settings;

/// How a dump is judged; what is absent is not known.
///
/// ```
/// use audit::dump::DumpOptions;
/// let options = DumpOptions { frozen: Some(0.35), ..DumpOptions::default() };
/// assert_eq!((options.directions, options.draws), (32, 20));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DumpOptions {
    /// Test accuracy, from 0 to 1. Without it, that on the dumped samples is taken, where there are logits and labels.
    pub accuracy: Option<f64>,
    /// Test accuracy of the same rule with frozen blocks.
    pub frozen: Option<f64>,
    /// Samples that the dumped `g.*` are a mean over. Without it, the rows of the file are counted.
    pub mean_over: Option<u64>,
    /// Random directions per sample for ρ; 0 leaves ρ out.
    pub directions: u64,
    /// Draws of each null; 0 leaves nulls out.
    pub draws: u64,
    /// Where the checks fire.
    pub limits: Thresholds,
}

impl Default for DumpOptions {
    /// The protocol's own numbers, and nothing known about accuracies.
    fn default() -> Self {
        let limits = Thresholds::default();
        let Settings { directions, draws, .. } = settings(&limits, 0);
        Self { accuracy: None, frozen: None, mean_over: None, directions, draws, limits }
    }
}

impl DumpOptions {
    /// Refuses numbers that cannot be.
    pub(super) fn check(&self) -> Result<(), Fault> {
        let accuracies = [
            ("accuracy", self.accuracy, Remedy::GiveAccuracy),
            ("accuracy with frozen blocks", self.frozen, Remedy::GiveFrozenAccuracy),
        ];
        for (name, accuracy, remedy) in accuracies {
            if let Some(x) = accuracy.filter(|x| !(0.0..=1.0).contains(x)) {
                let advice = "give it as a share from 0 to 1";
                return Err(Fault::Options { what: format!("the {name} is {x}"), advice, remedy });
            }
        }
        if self.mean_over == Some(0) {
            return Err(Fault::Options {
                what: "the number of samples in the mean is 0".to_owned(),
                advice: "give how many there are",
                remedy: Remedy::GiveMeanOver,
            });
        }
        Ok(())
    }
}
