//! What a wrong credit looks like: each likely fault says what it would have recorded, and the one that did is named.

use super::case::Case;
use super::judge::{Expectations, Expected, Standing};
use super::matrix::{distance, norm};
use super::path::Path;
use super::replay::Replay;
use super::samples;
use record::Unit;
use record::audit::Fault;

/// Share of the credit's norm up to which a hypothesis explains it.
const EXPLAINS: f64 = 1e-3;
/// A hypothesis has to be so much closer than the right credit is, or it explains nothing.
const CLOSER: f64 = 0.1;
/// Below this share of what there should be, no credit arrives.
const NOTHING: f64 = 1e-6;

/// The fault under which the unit's recorded credit is what it is.
pub(super) fn explain(
    case: &Case<'_>,
    exact: &mut Replay,
    expectations: &Expectations,
    found: &[Standing],
    unit: usize,
) -> Fault {
    let recorded = &case.credit[unit];
    if !recorded.iter().all(|x| x.is_finite()) {
        return Fault::Unexplained;
    }
    let expected: Vec<&Expected> =
        expectations.of[unit].iter().filter(|e| norm(&e.credit).is_finite()).collect();
    if expected.iter().any(|e| norm(recorded) <= NOTHING * norm(&e.credit)) {
        return Fault::Zeroed;
    }
    let nearest = expected.iter().map(|e| distance(recorded, &e.credit)).fold(f64::INFINITY, f64::min);
    let tolerance = expected.iter().map(|e| e.tolerance(EXPLAINS)).fold(0.0, f64::max).min(CLOSER * nearest);

    // In order of preference, for where sizes are small several of them coincide.
    let mut misfits: Vec<(Fault, f64)> = Vec::new();
    for e in &expected {
        let flipped: Vec<f64> = e.credit.iter().map(|x| -x).collect();
        misfits.push((Fault::SignFlipped, distance(recorded, &flipped)));
    }
    misfits.extend(feedback(case, exact, expectations, unit));
    // Blocks first: where the embedding is given what block 0 is, it is block 0's.
    for other in (1..=case.top()).chain([0]).filter(|&other| other != unit) {
        let fault = || Fault::OtherUnitsCredit { unit: Unit::at(other) };
        misfits.push((fault(), distance(recorded, expectations.plain(other))));
        // The credit of a unit that is wrong itself explains nothing, nor does one that followed from this unit's.
        if other > unit && matches!(found[other], Standing::Sound(_)) {
            misfits.push((fault(), distance(recorded, &case.credit[other])));
        }
    }
    for e in &expected {
        misfits.push((
            Fault::SamplesShuffled,
            samples::misfit(recorded, &e.credit, case.weights.width(), tolerance),
        ));
    }

    let best = misfits.iter().map(|(_, misfit)| *misfit).fold(f64::INFINITY, f64::min);
    // Hypotheses that coincide differ by rounding only, which must not choose among them.
    let near = (10.0 * best + 1e-6 * norm(recorded)).min(tolerance);
    misfits.into_iter().find(|(_, misfit)| *misfit <= near).map_or(Fault::Unexplained, |(fault, _)| fault)
}

/// What other uses of the feedback matrices would have given.
fn feedback(
    case: &Case<'_>,
    exact: &mut Replay,
    expectations: &Expectations,
    unit: usize,
) -> Vec<(Fault, f64)> {
    let recorded = &case.credit[unit];
    let mut misfits = Vec::new();
    match case.path {
        Path::Chain { .. } | Path::Replaced(_) if unit < case.top() => {
            for above in [expectations.plain(unit + 1), &case.credit[unit + 1]] {
                for matrix in (0..exact.matrices()).filter(|&matrix| matrix != unit) {
                    let misfit = distance(recorded, &exact.fed_back(unit, matrix, above));
                    misfits.push((Fault::OtherFeedback { matrix }, misfit));
                }
                let misfit = distance(recorded, &exact.fed_back_transposed(unit, above));
                misfits.push((Fault::FeedbackTransposed, misfit));
            }
        }
        // Another matrix and another block's credit are the same thing here. The embedding has no matrix: it is
        // given the credit of block 0.
        Path::Direct(_) if unit > 0 => {
            for matrix in (0..exact.matrices()).filter(|&matrix| matrix != unit - 1) {
                misfits.push((Fault::OtherFeedback { matrix }, distance(recorded, &exact.direct(matrix))));
            }
        }
        _ => {}
    }
    misfits
}
