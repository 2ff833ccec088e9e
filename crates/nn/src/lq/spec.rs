//! Sizes of the system, and their checks.

use super::Lq;
use crate::Error;
use crate::error::{check_least, check_most};

/// An unchecked description; [`LqSpec::build`] checks it.
#[derive(Clone, Debug, PartialEq)]
pub struct LqSpec {
    /// Features of the state, d.
    pub d: usize,
    /// Steps, L.
    pub blocks: usize,
    /// Rows of C.
    pub outputs: usize,
    /// A_l = I + `step`·Gaussian/√d …
    pub step: f64,
    /// … scaled down to this spectral norm if it is larger.
    pub bound: f64,
    /// Standard deviation of the noise at each step.
    pub noise: f64,
}

impl LqSpec {
    /// The system of that size at its defaults.
    pub fn new(d: usize, blocks: usize, outputs: usize) -> Self {
        Self { d, blocks, outputs, step: 0.3, bound: 1.2, noise: 0.03 }
    }

    /// Values per sample: h_0, y, noise.
    pub fn inputs(&self) -> usize {
        self.d + self.outputs + self.blocks * self.d
    }

    /// Checks the description and lays out the parameters.
    ///
    /// ```
    /// use nn::Architecture;
    /// let system = nn::LqSpec::new(64, 12, 10).build()?;
    /// assert_eq!(system.shape().inputs, 64 + 10 + 12 * 64);
    /// # Ok::<(), nn::Error>(())
    /// ```
    pub fn build(self) -> Result<Lq, Error> {
        check_least(&[("d", self.d, 1), ("the number of outputs", self.outputs, 1)])?;
        let d = self.d as f64;
        check_most(d * (d * self.blocks as f64 + self.outputs as f64))?;
        Ok(Lq::new(self))
    }
}
