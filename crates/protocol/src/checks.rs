//! The checks: scale stability (D1), reference validity (D2), direction stability, depth utility (D3). A check that lacks what
//! it looks at is not assessed, and a number that is not finite never passes.

use record::audit::{Outcome, Thresholds};

/// Relative difference up to which recorded and recomputed credit agree.
pub const AGREEMENT: f64 = 1e-4;

fn open(why: &str) -> Outcome {
    Outcome::NotAssessed { why: why.to_owned() }
}

fn passes(fine: bool) -> Outcome {
    if fine { Outcome::Passes } else { Outcome::Fires }
}

/// D1: does the residual stream keep its scale from block to block?
///
/// ```
/// use protocol::{THRESHOLDS, scale_stability};
/// use record::audit::Outcome;
/// assert_eq!(scale_stability(Some(694.0), &THRESHOLDS), Outcome::Fires);
/// assert_eq!(scale_stability(Some(f64::NAN), &THRESHOLDS), Outcome::Fires);
/// ```
pub fn scale_stability(growth: Option<f64>, limits: &Thresholds) -> Outcome {
    // Written so that NaN fires.
    growth.map_or_else(|| open("no hidden states"), |growth| passes(growth <= limits.growth))
}

/// D2: is the gradient at h_L large enough to mean anything? `gradient` is ‖g_L‖ at the N of the floor, `error` the median
/// ‖e_T‖. Without the error a small gradient may only show that the task is solved; a large one passes in any case.
pub fn reference_validity(gradient: Option<f64>, error: Option<f64>, limits: &Thresholds) -> Outcome {
    match (gradient, error) {
        (None, _) => open("no gradients"),
        (Some(_), Some(error)) if error < limits.solved => open("task solved"),
        (Some(gradient), None) if gradient < limits.floor => open(
            "the gradient is small, and without labels and logits it is unknown whether the task is solved",
        ),
        (Some(gradient), _) => passes(gradient >= limits.floor && gradient.is_finite()),
    }
}

/// A bound under the median ‖e_T‖ where only the accuracy is known. A sample that is classified wrongly has at most half of its
/// probability on the label, so ‖e_T‖ is at least ½; where most samples are wrong, the median is too.
pub fn least_error(accuracy: f64) -> Option<f64> {
    (accuracy < 0.5).then_some(0.5)
}

/// Do gradients still answer to the samples, or do all batches point the same way? Advisory.
pub fn direction_stability(agreement: Option<f64>, limits: &Thresholds) -> Outcome {
    let unmeasured = || open("the gradients of 8 batches of 128 samples were not measured");
    agreement.map_or_else(unmeasured, |agreement| passes(agreement <= limits.direction))
}

/// What training the blocks gains over leaving them frozen.
pub fn gain(accuracy: Option<f64>, frozen: Option<f64>) -> Option<f64> {
    Some(accuracy? - frozen?)
}

/// D3: are the trained blocks worth more than untrained ones? `frozen` is the accuracy of the matched frozen baseline.
pub fn depth_utility(accuracy: Option<f64>, frozen: Option<f64>, limits: &Thresholds) -> Outcome {
    // Where there are no labels there is no accuracy.
    match (accuracy.filter(|accuracy| !accuracy.is_nan()), frozen) {
        (None, _) => open("no accuracy"),
        (_, None) => open("no frozen baseline"),
        (_, Some(frozen)) if frozen > 1.0 - limits.ceiling => open("ceiling"),
        // Accuracies are counts over a number of samples, so ties happen, and rounding must not decide them.
        (Some(accuracy), Some(frozen)) => passes(accuracy - frozen >= limits.gain - 1e-9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::THRESHOLDS;

    #[test]
    fn each_check_fires_on_its_side_and_what_is_not_finite_never_passes() {
        let limits = &THRESHOLDS;
        let d1 = |growth: f64| scale_stability(Some(growth), limits);
        assert_eq!(d1(11.0), Outcome::Passes);
        assert_eq!(d1(50.0), Outcome::Passes);
        assert_eq!(d1(694.0), Outcome::Fires);
        assert_eq!(d1(f64::NAN), Outcome::Fires);
        let d2 = |gradient: f64, error: f64| reference_validity(Some(gradient), Some(error), limits);
        assert_eq!(d2(3e-4, 0.5), Outcome::Passes);
        assert_eq!(d2(4.2e-9, 0.5), Outcome::Fires);
        assert_eq!(d2(f64::NAN, 0.5), Outcome::Fires);
        assert_eq!(d2(f64::INFINITY, 0.5), Outcome::Fires);
        assert_eq!(d2(4.2e-9, 0.01), open("task solved"));
        let d3 = |accuracy: f64, frozen: f64| depth_utility(Some(accuracy), Some(frozen), limits);
        assert_eq!(d3(0.615, 0.39), Outcome::Passes);
        assert_eq!(d3(0.306, 0.349), Outcome::Fires);
        assert_eq!(d3(0.36, 0.34), Outcome::Passes, "exactly 2 points");
        assert_eq!(d3(0.99, 0.98), open("ceiling"));
        assert_eq!(depth_utility(Some(0.99), None, limits), open("no frozen baseline"));
        assert_eq!(depth_utility(Some(f64::NAN), Some(0.3), limits), open("no accuracy"));
        assert_eq!(direction_stability(Some(0.31), limits), Outcome::Fires);
        assert_eq!(direction_stability(Some(0.3), limits), Outcome::Passes);
    }

    #[test]
    fn without_the_error_a_small_gradient_says_nothing() {
        let limits = &THRESHOLDS;
        let d2 = |gradient: f64, error: Option<f64>| reference_validity(Some(gradient), error, limits);
        assert!(matches!(d2(4.2e-9, None), Outcome::NotAssessed { .. }));
        assert_eq!(d2(3e-4, None), Outcome::Passes);
        assert_eq!(d2(f64::NAN, None), Outcome::Fires);
        // Most samples are wrong, so the task is not solved.
        assert_eq!(d2(4.2e-9, least_error(0.3)), Outcome::Fires);
        assert_eq!(least_error(0.5), None);
    }
}
