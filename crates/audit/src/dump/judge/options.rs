//! What is not in a dump, and how it is judged.

use crate::dump::DumpFault;
use protocol::{THRESHOLDS, Thresholds, settings};
use record::Remedy;
use record::audit::Settings;

/// How a dump is judged; none means unknown.
///
/// ```
/// use audit::dump::DumpOptions;
/// let options = DumpOptions { frozen: Some(0.35), ..DumpOptions::default() };
/// assert_eq!((options.directions, options.draws), (32, 20));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DumpOptions {
    /// Test accuracy, from 0 to 1. Without it, that on the dumped samples is used, if there are logits and labels.
    pub accuracy: Option<f64>,
    /// Test accuracy of the same rule with frozen blocks.
    pub frozen: Option<f64>,
    /// Samples that the dumped `g.*` are a mean over; by default, the rows of the file.
    pub mean_over: Option<u64>,
    /// Random directions per sample for ρ; 0 omits ρ.
    pub directions: u64,
    /// Draws of each null; 0 omits nulls.
    pub draws: u64,
    /// The thresholds of the checks.
    pub limits: Thresholds,
}

impl Default for DumpOptions {
    /// The protocol's defaults, without accuracies.
    fn default() -> Self {
        let limits = THRESHOLDS;
        let Settings { directions, draws, .. } = settings(&limits, 0);
        Self { accuracy: None, frozen: None, mean_over: None, directions, draws, limits }
    }
}

impl DumpOptions {
    /// Refuses impossible numbers.
    pub(super) fn check(&self) -> Result<(), DumpFault> {
        let accuracies = [
            ("accuracy", self.accuracy, Remedy::GiveAccuracy),
            ("accuracy with frozen blocks", self.frozen, Remedy::GiveFrozenAccuracy),
        ];
        for (name, accuracy, remedy) in accuracies {
            if let Some(x) = accuracy.filter(|x| !(0.0..=1.0).contains(x)) {
                let advice = "give it as a number from 0 to 1";
                return Err(DumpFault::Options { what: format!("the {name} is {x}"), advice, remedy });
            }
        }
        if self.mean_over == Some(0) {
            return Err(DumpFault::Options {
                what: "the number of samples in the mean is 0".to_owned(),
                advice: "give the number of samples",
                remedy: Remedy::GiveMeanOver,
            });
        }
        Ok(())
    }
}
