//! What the checks look at, and how it is reduced from the norms of a network's states.

use crate::at_floor;
use record::{Epoch, Evaluation, Status};

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
            growth: growth_of(seen),
            gradient: last_gradient(seen.gradient().iter().copied()),
            error: Some(seen.error),
        }
    }
}

/// The growth that a log holds; none where it says that there is none, though all norms are sound: then the states are known
/// not to be those of one stream.
fn growth_of(seen: &Evaluation) -> Option<f64> {
    let no_stream = seen.growth.is_nan() && !growth(&seen.hidden()).is_nan();
    (!no_stream).then_some(seen.growth)
}

/// What D1 looks at: the largest ratio of one norm of ‖h_0‖ … ‖h_L‖ to the one before. 1 without blocks.
///
/// ```
/// assert_eq!(protocol::growth(&[2.0, 3.0, 30.0, 15.0]), 10.0);
/// ```
pub fn growth(hidden: &[f64]) -> f64 {
    hidden.windows(2).map(|pair| pair[1] / pair[0]).fold(None, larger).unwrap_or(1.0)
}

/// The larger of two; NaN wins, so that a broken layer shows.
fn larger(best: Option<f64>, x: f64) -> Option<f64> {
    Some(best.map_or(x, |best| if best.is_nan() || best > x { best } else { x }))
}

/// What D2 looks at: ‖g_L‖ at the N of the floor, from ‖p_0‖ … ‖p_L‖. Absent where the last of them is.
///
/// ```
/// assert_eq!(protocol::last_gradient([5.0, 1.28e-5]), Some(1e-7));
/// assert_eq!(protocol::last_gradient([Some(5.0), None]), None);
/// ```
pub fn last_gradient<P: Into<Option<f64>>>(p: impl IntoIterator<Item = P>) -> Option<f64> {
    p.into_iter().last()?.into().map(at_floor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::series::HIDDEN;

    #[test]
    fn growth_is_unknown_where_sound_norms_come_without_it() {
        let known = |hidden: [f64; 2], growth: f64| {
            let series = [HIDDEN.series(hidden)].into();
            growth_of(&Evaluation { samples: 1, error: 1.0, growth, series, notes: Default::default() })
        };
        assert_eq!(known([1.0, 3.0], 3.0), Some(3.0));
        assert_eq!(known([1.0, 3.0], f64::NAN), None, "the states are of no stream");
        assert!(known([1.0, f64::NAN], f64::NAN).is_some_and(f64::is_nan), "the network is broken");
    }

    #[test]
    fn a_broken_layer_is_not_passed_over() {
        assert!(growth(&[1.0, f64::NAN, 2.0]).is_nan());
        assert_eq!(growth(&[1.0, f64::INFINITY]), f64::INFINITY);
        assert_eq!(growth(&[5.0]), 1.0);
    }
}
