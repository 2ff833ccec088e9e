//! Explains a wrong credit: each likely fault predicts what it would have recorded, and the best match is named.

use super::agreement::{Agreement, Expectations, Expected};
use super::checked::CheckedRecord;
use super::matrix::{distance, norm};
use super::path::PlainPath;
use super::replay::Replay;
use super::samples;
use record::Unit;
use record::audit::Fault;

/// A hypothesis explains a credit up to this share of its norm …
const EXPLAINS: f64 = 1e-3;
/// … and only if its distance is at most this share of the right credit's.
const CLOSER: f64 = 0.1;
/// Below this share of the right credit's norm, no credit arrives.
const NOTHING: f64 = 1e-6;

/// The fault that explains the unit's recorded credit.
pub(super) fn explain(
    checked: &CheckedRecord<'_>,
    exact: &mut Replay,
    expectations: &Expectations,
    found: &[Agreement],
    unit: usize,
) -> Fault {
    let recorded = &checked.credit[unit];
    if !recorded.iter().all(|x| x.is_finite()) {
        return Fault::Unexplained;
    }
    let expected: Vec<&Expected> =
        expectations.by_unit[unit].iter().filter(|e| norm(&e.credit).is_finite()).collect();
    if expected.iter().any(|e| norm(recorded) <= NOTHING * norm(&e.credit)) {
        return Fault::Zeroed;
    }
    let nearest = expected.iter().map(|e| distance(recorded, &e.credit)).fold(f64::INFINITY, f64::min);
    let tolerance = expected.iter().map(|e| e.tolerance(EXPLAINS)).fold(0.0, f64::max).min(CLOSER * nearest);

    // In order of preference: several of them coincide where sizes are small.
    let mut misfits: Vec<(Fault, f64)> = Vec::new();
    for e in &expected {
        let flipped: Vec<f64> = e.credit.iter().map(|x| -x).collect();
        misfits.push((Fault::SignFlipped, distance(recorded, &flipped)));
    }
    misfits.extend(feedback(checked, exact, expectations, unit));
    // Blocks first: a credit that embedding and block 0 share is called block 0's.
    for other in (1..=checked.top()).chain([0]).filter(|&other| other != unit) {
        let fault = || Fault::OtherUnitsCredit { unit: Unit::at(other) };
        misfits.push((fault(), distance(recorded, expectations.plain(other))));
        // The credit of a wrong unit explains nothing, nor does one that follows from this unit's.
        if other > unit && matches!(found[other], Agreement::Sound(_)) {
            misfits.push((fault(), distance(recorded, &checked.credit[other])));
        }
    }
    for e in &expected {
        misfits.push((
            Fault::SamplesShuffled,
            samples::misfit(recorded, &e.credit, checked.weights.width(), tolerance),
        ));
    }

    let best = misfits.iter().map(|(_, misfit)| *misfit).fold(f64::INFINITY, f64::min);
    // Hypotheses that coincide differ by rounding only, which must not decide between them.
    let near = (10.0 * best + 1e-6 * norm(recorded)).min(tolerance);
    misfits.into_iter().find(|(_, misfit)| *misfit <= near).map_or(Fault::Unexplained, |(fault, _)| fault)
}

/// What other uses of the feedback matrices would have given.
fn feedback(
    checked: &CheckedRecord<'_>,
    exact: &mut Replay,
    expectations: &Expectations,
    unit: usize,
) -> Vec<(Fault, f64)> {
    let recorded = &checked.credit[unit];
    let mut misfits = Vec::new();
    match checked.path {
        PlainPath::Chain { .. } | PlainPath::Replaced(_) if unit < checked.top() => {
            for above in [expectations.plain(unit + 1), &checked.credit[unit + 1]] {
                for matrix in (0..exact.matrices()).filter(|&matrix| matrix != unit) {
                    let misfit = distance(recorded, &exact.fed_back(unit, matrix, above));
                    misfits.push((Fault::OtherFeedback { matrix }, misfit));
                }
                let misfit = distance(recorded, &exact.fed_back_transposed(unit, above));
                misfits.push((Fault::FeedbackTransposed, misfit));
            }
        }
        // Another matrix and another block's credit are the same here. The embedding has no matrix: it gets the
        // credit of block 0.
        PlainPath::Direct(_) if unit > 0 => {
            for matrix in (0..exact.matrices()).filter(|&matrix| matrix != unit - 1) {
                misfits.push((Fault::OtherFeedback { matrix }, distance(recorded, &exact.direct(matrix))));
            }
        }
        _ => {}
    }
    misfits
}
