//! The learning rate over the epochs.

use crate::RunSpec;
use tensor::AdamW;

/// Schedule of the learning rate over the epochs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// ½·lr·(1 + cos(πe/E)).
    Cosine,
    /// Constant lr.
    Constant,
}

impl Schedule {
    /// Factor of the learning rate in epoch `epoch` of `epochs`, counted from 0.
    fn factor(self, epoch: u64, epochs: u64) -> f64 {
        match self {
            Self::Constant => 1.0,
            // From `libm`, so that the result is the same on every platform.
            Self::Cosine => 0.5 * (1.0 + libm::cos(std::f64::consts::PI * epoch as f64 / epochs as f64)),
        }
    }
}

impl RunSpec {
    /// AdamW in epoch `epoch`, counted from 0.
    pub fn optimiser_at(&self, epoch: u64) -> AdamW {
        let lr = self.optimiser.lr * self.schedule.factor(epoch, self.epochs);
        AdamW { lr, ..self.optimiser }
    }
}
