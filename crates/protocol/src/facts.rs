//! What the checks look at.

use crate::at_floor;
use record::{Epoch, Status};

/// What the protocol looks at. Whatever is unknown is absent, and the check that needs it is not assessed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// max ‖h_{l+1}‖/‖h_l‖.
    pub growth: Option<f64>,
    /// ‖g_L‖ at the N of the floor.
    pub gradient: Option<f64>,
    /// Median ‖e_T‖.
    pub error: Option<f64>,
    /// Mean pairwise cosine of batch-mean gradients.
    pub direction: Option<f64>,
    /// Test accuracy.
    pub accuracy: Option<f64>,
    /// Test accuracy of the matched frozen baseline.
    pub frozen: Option<f64>,
    /// Whether this is a frozen baseline itself, which has no depth to be useful.
    pub is_frozen: bool,
}

impl Facts {
    /// The facts of a run that ended so. One that broke off did so at numbers that are not finite, whatever it measured before.
    pub fn ended(self, status: &Status) -> Self {
        match status {
            Status::Stopped { .. } => {
                Self { growth: Some(f64::NAN), gradient: Some(f64::NAN), error: None, ..self }
            }
            _ => self,
        }
    }
}

/// Growth, ‖g_L‖ and median ‖e_T‖ after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Epochs trained.
    pub epoch: u64,
    /// Growth.
    pub growth: Option<f64>,
    /// ‖g_L‖ at the N of the floor.
    pub gradient: Option<f64>,
    /// Median ‖e_T‖.
    pub error: Option<f64>,
}

impl Moment {
    /// What an epoch of a log shows.
    pub fn of(epoch: &Epoch) -> Self {
        let seen = &epoch.evaluation;
        Self {
            epoch: epoch.epoch,
            growth: Some(seen.growth),
            gradient: seen.gradient().last().map(|&p| at_floor(p)),
            error: Some(seen.error),
        }
    }
}
