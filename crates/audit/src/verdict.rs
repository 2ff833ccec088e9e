//! From measured facts to the checks of the protocol, each with its margin and the first epoch at which it fired.

use crate::{Check, Thresholds};
use record::audit::{CheckId, CheckResult, Consistency, Outcome};

/// What the protocol looks at. Whatever is unknown is absent, and the check that needs it is not assessed.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// max ‖h_{l+1}‖/‖h_l‖.
    pub growth: Option<f64>,
    /// ‖g_L‖ at N = 128.
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

/// Growth, ‖g_L‖ at N = 128 and median ‖e_T‖ after an epoch.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Epochs trained.
    pub epoch: u64,
    /// Growth.
    pub growth: Option<f64>,
    /// ‖g_L‖ at N = 128.
    pub gradient: Option<f64>,
    /// Median ‖e_T‖.
    pub error: Option<f64>,
}

/// All checks, in the order of the protocol. `history` holds the epochs that are known, in order.
///
/// ```
/// use audit::{Facts, Thresholds, checks};
/// use record::audit::{Consistency, Verdict};
/// let facts = Facts { growth: Some(694.0), gradient: Some(4e-9), error: Some(0.8), ..Facts::default() };
/// let consistency = Consistency::NotAssessed { why: "a dump".to_owned() };
/// let found = checks(&facts, &[], &consistency, &Thresholds::default());
/// assert_eq!(Verdict::of(&found).words(), "FAIL(D1+D2)");
/// ```
pub fn checks(
    facts: &Facts,
    history: &[Moment],
    consistency: &Consistency,
    limits: &Thresholds,
) -> Vec<CheckResult> {
    let first = |fires: &dyn Fn(&Moment) -> bool| history.iter().find(|m| fires(m)).map(|m| m.epoch);
    let d1 = |growth: Option<f64>| {
        growth.map_or(Check::NotAssessed("no hidden states"), |g| limits.scale_stability(g))
    };
    let d2 = |gradient: Option<f64>, error: Option<f64>| match (gradient, error) {
        (None, _) => Check::NotAssessed("no gradients"),
        // Without the error a small gradient may only show that the task is solved; a large one passes in any case.
        (Some(gradient), None) if gradient < limits.floor => Check::NotAssessed(
            "the gradient is small, and without labels and logits nobody knows if the task is solved",
        ),
        (Some(gradient), error) => limits.reference_validity(gradient, error.unwrap_or(f64::INFINITY)),
    };
    let d3 = match facts.accuracy {
        _ if facts.is_frozen => Check::NotAssessed("a frozen baseline"),
        None => Check::NotAssessed("no accuracy"),
        Some(accuracy) => limits.depth_utility(accuracy, facts.frozen),
    };
    let gain = facts.accuracy.zip(facts.frozen).map(|(accuracy, frozen)| accuracy - frozen);
    vec![
        CheckResult {
            check: CheckId::D1,
            outcome: outcome(d1(facts.growth)),
            statistic: facts.growth,
            threshold: limits.growth,
            margin: facts.growth.map(|growth| limits.growth / growth),
            first_fired: first(&|m| d1(m.growth) == Check::Fires),
            advisory: false,
        },
        CheckResult {
            check: CheckId::D2,
            outcome: outcome(d2(facts.gradient, facts.error)),
            statistic: facts.gradient,
            threshold: limits.floor,
            margin: facts.gradient.map(|gradient| gradient / limits.floor),
            first_fired: first(&|m| d2(m.gradient, m.error) == Check::Fires),
            advisory: false,
        },
        CheckResult {
            check: CheckId::Direction,
            outcome: outcome(limits.direction_stability(facts.direction)),
            statistic: facts.direction,
            threshold: limits.direction,
            margin: facts.direction.map(|direction| limits.direction - direction),
            first_fired: None,
            advisory: true,
        },
        CheckResult {
            check: CheckId::D3,
            outcome: outcome(d3),
            statistic: gain,
            threshold: limits.gain,
            margin: gain.map(|gain| gain - limits.gain),
            first_fired: None,
            advisory: false,
        },
        consistent(consistency),
    ]
}

fn outcome(check: Check) -> Outcome {
    match check {
        Check::Passes => Outcome::Passes,
        Check::Fires => Outcome::Fires,
        Check::NotAssessed(why) => Outcome::NotAssessed { why: why.to_owned() },
    }
}

/// Credit that is not what it should be fails a run, whatever else it shows.
fn consistent(consistency: &Consistency) -> CheckResult {
    const TOLERANCE: f64 = crate::consistency::AGREE;
    let (outcome, statistic) = match consistency {
        Consistency::Agrees { worst } => (Outcome::Passes, Some(*worst)),
        Consistency::Differs { findings } => {
            (Outcome::Fires, findings.iter().filter_map(|finding| finding.difference).reduce(f64::max))
        }
        Consistency::NotAssessed { why } => (Outcome::NotAssessed { why: why.clone() }, None),
    };
    CheckResult {
        check: CheckId::Consistency,
        outcome,
        statistic,
        threshold: TOLERANCE,
        margin: statistic.map(|worst| TOLERANCE / worst),
        first_fired: None,
        // Where nothing was recorded, that is no gap in the protocol itself.
        advisory: matches!(consistency, Consistency::NotAssessed { .. }),
    }
}
