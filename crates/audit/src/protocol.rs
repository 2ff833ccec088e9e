//! Where the checks fire: scale stability (D1), reference validity (D2), direction stability, depth utility (D3).

/// Where each check fires.
///
/// ```
/// use audit::{Check, Thresholds};
/// let usual = Thresholds::default();
/// assert_eq!(usual.scale_stability(694.0), Check::Fires);
/// assert_eq!(usual.depth_utility(0.615, Some(0.39)), Check::Passes);
/// assert_eq!(usual.depth_utility(0.615, None), Check::NotAssessed("no frozen baseline"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// D1 fires where a block multiplies the hidden norm by more than this.
    pub growth: f64,
    /// D2 fires where ‖g_L‖ at N = 128 is below this.
    pub floor: f64,
    /// D3 fires where training the blocks gains less accuracy than this over leaving them frozen.
    pub gain: f64,
    /// Median ‖e_T‖ below which a small gradient only shows that the task is solved.
    pub solved: f64,
    /// A frozen baseline this close to 1 leaves nothing to gain.
    pub ceiling: f64,
    /// The direction check fires where gradients of different batches agree more than this.
    pub direction: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { growth: 50.0, floor: 1e-7, gain: 0.02, solved: 0.05, ceiling: 0.03, direction: 0.3 }
    }
}

/// The outcome of one check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Check {
    /// The statistic is on the good side.
    Passes,
    /// It is on the bad side.
    Fires,
    /// Nothing can be said, and why.
    NotAssessed(&'static str),
}

impl Thresholds {
    /// The number of samples whose mean gradient the floor is stated for.
    pub const FLOOR_SAMPLES: u64 = 128;

    /// D1: does the residual stream keep its scale from block to block?
    pub fn scale_stability(&self, growth: f64) -> Check {
        // Written so that NaN fires.
        if growth <= self.growth { Check::Passes } else { Check::Fires }
    }

    /// D2: is the gradient at h_L large enough to mean anything? `gradient` is ‖g_L‖ at N = 128, `error` the median
    /// ‖e_T‖.
    pub fn reference_validity(&self, gradient: f64, error: f64) -> Check {
        if error < self.solved {
            Check::NotAssessed("task solved")
        } else if gradient >= self.floor && gradient.is_finite() {
            Check::Passes
        } else {
            Check::Fires
        }
    }

    /// Do gradients still answer to the samples, or do all batches point the same way? Advisory.
    pub fn direction_stability(&self, agreement: Option<f64>) -> Check {
        match agreement {
            None => Check::NotAssessed("the gradients of 8 batches of 128 samples were not measured"),
            Some(agreement) if agreement <= self.direction => Check::Passes,
            Some(_) => Check::Fires,
        }
    }

    /// D3: are the trained blocks worth more than untrained ones?
    pub fn depth_utility(&self, accuracy: f64, frozen: Option<f64>) -> Check {
        match frozen {
            // Where there are no labels there is no accuracy.
            _ if accuracy.is_nan() => Check::NotAssessed("no accuracy"),
            None => Check::NotAssessed("no frozen baseline"),
            Some(frozen) if frozen > 1.0 - self.ceiling => Check::NotAssessed("ceiling"),
            // Accuracies are counts over a number of samples, so ties happen, and rounding must not decide them.
            Some(frozen) if accuracy - frozen >= self.gain - 1e-9 => Check::Passes,
            Some(_) => Check::Fires,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_check_fires_on_its_side_and_what_is_not_finite_never_passes() {
        let t = Thresholds::default();
        assert_eq!(t.scale_stability(11.0), Check::Passes);
        assert_eq!(t.scale_stability(694.0), Check::Fires);
        assert_eq!(t.scale_stability(f64::NAN), Check::Fires);
        assert_eq!(t.reference_validity(3e-4, 0.5), Check::Passes);
        assert_eq!(t.reference_validity(4.2e-9, 0.5), Check::Fires);
        assert_eq!(t.reference_validity(f64::NAN, 0.5), Check::Fires);
        assert_eq!(t.reference_validity(f64::INFINITY, 0.5), Check::Fires);
        assert_eq!(t.reference_validity(4.2e-9, 0.01), Check::NotAssessed("task solved"));
        assert_eq!(t.depth_utility(0.615, Some(0.39)), Check::Passes);
        assert_eq!(t.depth_utility(0.306, Some(0.349)), Check::Fires);
        assert_eq!(t.depth_utility(0.36, Some(0.34)), Check::Passes, "exactly 2 points");
        assert_eq!(t.depth_utility(0.99, Some(0.98)), Check::NotAssessed("ceiling"));
        assert_eq!(t.depth_utility(0.99, None), Check::NotAssessed("no frozen baseline"));
    }
}
