//! Holds the dumped gradients against the loss changes that came with them, state by state.

use crate::dump::{DumpRows, LossChanges};
use crate::measurements::Correlation;
use protocol::is_contradicted;
use record::audit::ReferenceTest;
use tensor::{Mat, matmul};

/// What measured loss changes say about the gradient at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tested {
    /// It predicts them.
    Holds(ReferenceTest),
    /// It does not.
    Contradicted(ReferenceTest),
    /// They take few different values, so that rounding may be all that is left of them.
    Rounded,
}

impl Tested {
    /// The numbers behind it.
    pub(super) fn numbers(self) -> Option<ReferenceTest> {
        match self {
            Self::Holds(test) | Self::Contradicted(test) => Some(test),
            Self::Rounded => None,
        }
    }
}

/// ρ of a gradient by the loss changes at its state; none if one of them does not vary.
pub(super) fn test(p: &DumpRows, measured: &LossChanges) -> Option<Tested> {
    let LossChanges { directions, changes } = measured;
    let count = directions.len();
    let mut predicted = vec![0.0; p.len() * count];
    let vectors = Mat::new(&directions.values, count, directions.width);
    matmul(&mut predicted, 1.0, Mat::new(&p.values, p.len(), p.width), vectors.t());
    let mut each = vec![Correlation::default(); count];
    for (predicted, changes) in predicted.chunks_exact(count).zip(changes.iter()) {
        for ((correlation, &x), &change) in each.iter_mut().zip(predicted).zip(changes) {
            if x.is_finite() && change.is_finite() {
                correlation.add(x, change);
            }
        }
    }
    let without = |left_out: Option<usize>| {
        let kept = each.iter().enumerate().filter(|(k, _)| Some(*k) != left_out);
        kept.fold(Correlation::default(), |sum, (_, one)| sum.and(one)).value()
    };
    let rho = without(None)?;
    let others: Vec<f64> = (0..count).filter_map(|k| without(Some(k))).collect();
    let mean = others.iter().sum::<f64>() / others.len() as f64;
    let squares: f64 = others.iter().map(|rho| (rho - mean).powi(2)).sum();
    let error = (squares * (count - 1) as f64 / count as f64).sqrt();
    let test = ReferenceTest { rho, error, directions: count as u64 };
    Some(match is_contradicted(&test) {
        false => Tested::Holds(test),
        true if is_rounded(&changes.values) => Tested::Rounded,
        true => Tested::Contradicted(test),
    })
}

/// Whether most values stand there more than once: measured changes hardly ever repeat, multiples of a rounding error do.
fn is_rounded(changes: &[f64]) -> bool {
    let mut bits: Vec<u64> = changes.iter().map(|change| change.to_bits()).collect();
    bits.sort_unstable();
    bits.dedup();
    2 * bits.len() < changes.len()
}
