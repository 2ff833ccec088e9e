//! From facts to the checks of the protocol, each with its margin and the first epoch at which it fired, and from those to a
//! verdict.

use crate::{
    AGREEMENT, Facts, Moment, depth_utility, direction_stability, gain, reference_validity, scale_stability,
};
use record::audit::{CheckId, CheckResult, Consistency, Outcome, Thresholds, Verdict};

/// All checks, in the order of the protocol. `history` holds the epochs that are known, in order.
///
/// ```
/// use protocol::{Facts, THRESHOLDS, checks, verdict};
/// use record::audit::Consistency;
/// let facts = Facts { growth: Some(694.0), gradient: Some(4e-9), error: Some(0.8), ..Facts::default() };
/// let consistency = Consistency::NotAssessed { why: "a dump".to_owned() };
/// let found = checks(&facts, &[], &consistency, &THRESHOLDS);
/// assert_eq!(verdict(&found).words(), "FAIL(D1+D2)");
/// ```
pub fn checks(
    facts: &Facts,
    history: &[Moment],
    consistency: &Consistency,
    limits: &Thresholds,
) -> Vec<CheckResult> {
    let first = |check: &dyn Fn(&Moment) -> Outcome| {
        history.iter().find(|moment| check(moment) == Outcome::Fires).map(|moment| moment.epoch)
    };
    let d3 = if facts.is_frozen {
        Outcome::NotAssessed { why: "a frozen baseline".to_owned() }
    } else {
        depth_utility(facts.accuracy, facts.frozen, limits)
    };
    let gain = gain(facts.accuracy, facts.frozen);
    vec![
        CheckResult {
            check: CheckId::D1,
            outcome: scale_stability(facts.growth, limits),
            statistic: facts.growth,
            threshold: limits.growth,
            margin: facts.growth.map(|growth| limits.growth / growth),
            first_fired: first(&|moment| scale_stability(moment.growth, limits)),
            advisory: false,
        },
        CheckResult {
            check: CheckId::D2,
            outcome: reference_validity(facts.gradient, facts.error, limits),
            statistic: facts.gradient,
            threshold: limits.floor,
            margin: facts.gradient.map(|gradient| gradient / limits.floor),
            first_fired: first(&|moment| reference_validity(moment.gradient, moment.error, limits)),
            advisory: false,
        },
        CheckResult {
            check: CheckId::Direction,
            outcome: direction_stability(facts.direction, limits),
            statistic: facts.direction,
            threshold: limits.direction,
            margin: facts.direction.map(|direction| limits.direction - direction),
            first_fired: None,
            advisory: true,
        },
        CheckResult {
            check: CheckId::D3,
            outcome: d3,
            statistic: gain,
            threshold: limits.gain,
            margin: gain.map(|gain| gain - limits.gain),
            first_fired: None,
            advisory: false,
        },
        consistent(consistency),
    ]
}

/// Credit that is not what it should be fails a run, whatever else it shows.
fn consistent(consistency: &Consistency) -> CheckResult {
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
        threshold: AGREEMENT,
        margin: statistic.map(|worst| AGREEMENT / worst),
        first_fired: None,
        // Where nothing was recorded, that is no gap in the protocol itself.
        advisory: matches!(consistency, Consistency::NotAssessed { .. }),
    }
}

/// What checks add up to; advisory ones do not count.
pub fn verdict(checks: &[CheckResult]) -> Verdict {
    let counted = || checks.iter().filter(|check| !check.advisory);
    let ids = |wanted: fn(&Outcome) -> bool| -> Vec<CheckId> {
        counted().filter(|check| wanted(&check.outcome)).map(|check| check.check).collect()
    };
    let fired = ids(|outcome| *outcome == Outcome::Fires);
    if !fired.is_empty() {
        return Verdict::Fail { fired };
    }
    // Consistent credit alone says nothing about the run.
    let passed = ids(|outcome| *outcome == Outcome::Passes);
    if passed.iter().all(|&check| check == CheckId::Consistency) {
        return Verdict::NotAssessed;
    }
    Verdict::Pass { open: ids(|outcome| matches!(outcome, Outcome::NotAssessed { .. })) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(check: CheckId, outcome: Outcome) -> CheckResult {
        let advisory = check == CheckId::Direction;
        CheckResult {
            check,
            outcome,
            statistic: None,
            threshold: 1.0,
            margin: None,
            first_fired: None,
            advisory,
        }
    }

    fn open() -> Outcome {
        Outcome::NotAssessed { why: "no frozen baseline".to_owned() }
    }

    #[test]
    fn a_verdict_names_what_fired_and_what_is_open() {
        let words = |checks: &[CheckResult]| verdict(checks).words();
        let passes = |id| check(id, Outcome::Passes);
        let fires = |id| check(id, Outcome::Fires);
        assert_eq!(words(&[passes(CheckId::D1), passes(CheckId::D2), passes(CheckId::D3)]), "PASS");
        assert_eq!(words(&[passes(CheckId::D1), check(CheckId::D3, open())]), "PASS (D3 not assessed)");
        assert_eq!(words(&[fires(CheckId::D1), passes(CheckId::D2), fires(CheckId::D3)]), "FAIL(D1+D3)");
        assert_eq!(words(&[passes(CheckId::D1), fires(CheckId::Direction)]), "PASS");
        assert_eq!(words(&[check(CheckId::D1, open()), passes(CheckId::Consistency)]), "not assessed");
        assert_eq!(words(&[]), "not assessed");
    }
}
