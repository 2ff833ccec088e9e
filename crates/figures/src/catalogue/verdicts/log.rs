//! Checks read off a log, where nobody has audited the run: the same rules with the usual thresholds, whatever its
//! recipe says of them. The advisory check is not in a log.

use crate::catalogue::layers::{self, PROTOCOL_SAMPLES};
use crate::reader::{EpochPoint, Records, Trial};
use record::audit::{CheckId, CheckResult, Outcome};

/// D1 fires above this growth.
const GROWTH: f64 = 50.0;
/// D3 fires below this gain.
const GAIN: f64 = 0.02;
/// D2 says nothing where median ‖e_T‖ is below this.
const SOLVED: f64 = 0.05;
/// D3 says nothing where the baseline is this close to 1.
const CEILING: f64 = 0.03;
/// Accuracies are counts, so ties happen, and rounding must not decide them.
const TIE: f64 = 1e-9;

/// Whether the log of a trial ends with norms to check.
pub(super) fn has(trial: &Trial) -> bool {
    trial.last().is_some_and(|last| last.growth.is_some() || last.gradient_last().is_some())
}

/// D1, D2 and D3 of a trial as its log has them.
pub(super) fn checks(records: &Records, trial: &Trial) -> Vec<CheckResult> {
    let (floor, _) = layers::floor([], PROTOCOL_SAMPLES);
    let first = |fires: &dyn Fn(&EpochPoint) -> bool| trial.epochs.iter().find(|e| fires(e)).map(|e| e.epoch);
    let last = trial.last();
    let grown = last.and_then(|e| e.growth);
    let reference = last.and_then(gradient);
    let frozen = records.frozen_accuracy(trial);
    let gain = trial.accuracy().zip(frozen).map(|(accuracy, frozen)| accuracy - frozen);
    let d2 = |epoch: &EpochPoint| validity(epoch, floor);
    let result = |check, outcome, statistic: Option<f64>, threshold, margin, first_fired| CheckResult {
        check,
        outcome,
        statistic,
        threshold,
        margin,
        first_fired,
        advisory: false,
    };
    let first_d1 = first(&|e| e.growth.is_some_and(|g| stability(g) == Outcome::Fires));
    let first_d2 = first(&|e| d2(e) == Outcome::Fires);
    let d1 = grown.map_or_else(|| open("no hidden states"), stability);
    let d2 = last.map_or_else(|| open("no gradients"), d2);
    let d3 = match (gain, frozen) {
        (None, _) if trial.accuracy().is_none() => open("no accuracy"),
        (Some(_), Some(frozen)) if frozen > 1.0 - CEILING => open("ceiling"),
        (Some(gain), _) if gain >= GAIN - TIE => Outcome::Passes,
        (Some(_), _) => Outcome::Fires,
        (None, _) => open("no frozen baseline"),
    };
    vec![
        result(CheckId::D1, d1, grown, GROWTH, grown.map(|g| GROWTH / g), first_d1),
        result(CheckId::D2, d2, reference, floor, reference.map(|g| g / floor), first_d2),
        result(CheckId::D3, d3, gain, GAIN, gain.map(|g| g - GAIN), None),
    ]
}

fn open(why: &str) -> Outcome {
    Outcome::NotAssessed { why: why.to_owned() }
}

/// ‖g_L‖ of the mean over as many samples as the floor is stated for.
fn gradient(epoch: &EpochPoint) -> Option<f64> {
    epoch.gradient_last().map(|p| p / PROTOCOL_SAMPLES as f64)
}

fn stability(growth: f64) -> Outcome {
    // Written so that NaN fires.
    if growth <= GROWTH { Outcome::Passes } else { Outcome::Fires }
}

fn validity(epoch: &EpochPoint, floor: f64) -> Outcome {
    match gradient(epoch) {
        None => open("no gradients"),
        Some(_) if epoch.error.is_some_and(|error| error < SOLVED) => open("task solved"),
        Some(g) if g >= floor && g.is_finite() => Outcome::Passes,
        Some(_) => Outcome::Fires,
    }
}
