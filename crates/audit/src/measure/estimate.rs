//! The slopes of a chunk from which the cosine with an unknown gradient is estimated: along its credit, and along the random
//! directions of ρ, whose loss changes are there already.

use super::credit_sums::StateChunk;
use super::perturbation::Perturbed;
use crate::measurements::{Directions, Downstream, EstimatedCosine, Slopes, loss_changes, predictions};
use record::Why;
use tensor::Float;

/// Adds the samples of a chunk.
pub(super) fn add<Label: Copy, A: Float>(
    mean: &mut EstimatedCosine,
    chunk: &StateChunk<'_, Label>,
    credit: &[A],
    moved: &Perturbed<'_>,
    rest: &mut dyn Downstream<Label>,
) {
    let &StateChunk { layer, labels, h, reach, .. } = chunk;
    let Some(step) = moved.step else { return };
    let (units, troubles) = directed(credit, reach);
    let own = Directions { vectors: &units, reach };
    // Slopes at two lengths: how far they differ is what curvature and rounding leave uncertain.
    let mut slopes = |length: f64| -> Vec<f64> {
        let changes = loss_changes(rest, layer, h, labels, own, length);
        changes.into_iter().map(|change| change / length).collect()
    };
    let (far, near) = (slopes(step.length), slopes(0.5 * step.length));
    let each = moved.changes.len() / labels.len();
    let shares = predictions(&[&units[..]], moved.directions, labels.len());
    for (i, trouble) in troubles.into_iter().enumerate() {
        let of_sample = i * each..(i + 1) * each;
        if let Some(why) = trouble {
            // A sample without error has no gradient to follow, and needs no credit.
            if why == Why::NotFinite || moved.changes[of_sample].iter().any(|&change| change != 0.0) {
                mean.without(why);
            }
            continue;
        }
        mean.add(Slopes {
            own: near[i],
            doubt: (far[i] - near[i]).abs(),
            random: &moved.changes[of_sample.clone()],
            credit: &shares[of_sample],
            width: reach,
            // Each loss has an error of a few units in the last place.
            rounding: 4.0 * f64::EPSILON * (1.0 + moved.losses[i].abs()) / step.length,
        });
    }
}

/// Each row of credit at length 1, or zeros and why it has no direction.
fn directed<A: Float>(credit: &[A], width: usize) -> (Vec<f64>, Vec<Option<Why>>) {
    let mut units: Vec<f64> = credit.iter().map(|x| x.to_f64()).collect();
    let unit = |row: &mut [f64]| {
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        let trouble = match norm {
            _ if !norm.is_finite() => Some(Why::NotFinite),
            _ if norm < f64::from(f32::MIN_POSITIVE) => Some(Why::CreditVanished),
            _ => None,
        };
        row.iter_mut().for_each(|x| *x = if trouble.is_some() { 0.0 } else { *x / norm });
        trouble
    };
    let troubles = units.chunks_exact_mut(width).map(unit).collect();
    (units, troubles)
}
