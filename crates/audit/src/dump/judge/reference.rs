//! The gradient at h_L once more, from head, labels and h_L alone, and the dumped one compared with it.
//!
//! A reference that was hooked at the wrong place, or reduced over the batch and saved as if it were not, makes every
//! number that is measured against it wrong without a sign. At h_L it can be checked.

use super::downstream::normalise;
use crate::dump::{Head, Rows};
use crate::{CosineMean, median, norms};
use record::audit::Warning;
use tensor::{Mat, matmul};

/// How exact the dumped numbers can be expected to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Precision {
    /// Difference of logits, as a share of their size, that rounding may make.
    logits: f64,
    /// Difference of the norms of gradients.
    norms: f64,
    /// ‖e_T‖ below which rounding in the softmax leaves too few digits of a gradient.
    error: f64,
}

/// Larger factors between gradients come from something else than a mean.
const LARGEST_BATCH: f64 = 65536.0;
/// Cosine below which two gradients are not the same.
const SAME: f64 = 0.99;

impl Precision {
    /// By whether some of the numbers came in half precision.
    pub(super) fn of(half: bool) -> Self {
        if half {
            Self { logits: 3e-2, norms: 5e-2, error: 0.1 }
        } else {
            Self { logits: 1e-3, norms: 1e-2, error: 1e-3 }
        }
    }

    /// The warning that the head does not give the dumped logits, if it does not. What is the same for all classes
    /// does not count, since no loss depends on it; samples that are not finite are left out.
    pub(super) fn head(self, dumped: &Rows, found: &Rows) -> Option<Warning> {
        let (mut apart, mut size) = (0.0, [0.0; 2]);
        for (dumped, found) in dumped.iter().zip(found.iter()) {
            let dumped = centred(dumped);
            let found = centred(found);
            let squares = |row: &[f64]| row.iter().map(|x| x * x).sum::<f64>();
            let a = squares(&dumped);
            let b = squares(&found);
            if a.is_finite() && b.is_finite() {
                size = [size[0] + a, size[1] + b];
                apart += dumped.iter().zip(&found).map(|(x, y)| (x - y).powi(2)).sum::<f64>();
            }
        }
        let difference = (apart / size[0].max(size[1])).sqrt();
        // Where all logits are equal there is nothing to compare, and the share is NaN.
        (difference > self.logits).then_some(Warning::HeadDiffers { difference })
    }

    /// How the dumped p_L compares with the computed one, on samples whose error leaves digits to compare.
    pub(super) fn gradient(self, dumped: &Rows, computed: &Rows, errors: &Rows, taken: u64) -> Comparison {
        let mut cosines = CosineMean::default();
        let mut ratios = Vec::new();
        let sizes = norms(&errors.values, errors.width);
        for ((dumped, computed), error) in dumped.iter().zip(computed.iter()).zip(sizes) {
            let size = |row: &[f64]| norms(row, row.len()).next().unwrap_or(f64::NAN);
            let ratio = size(dumped) / size(computed);
            if error >= self.error && size(computed) >= f64::MIN_POSITIVE && ratio.is_finite() {
                cosines.add(dumped, computed, dumped.len());
                ratios.push(ratio);
            }
        }
        if ratios.is_empty() {
            return Comparison::None;
        }
        // Zeros point nowhere, least of all where the gradient does.
        let cosine = cosines.mean().unwrap_or(0.0);
        let ratio = median(ratios);
        let rows = dumped.len() as u64;
        match reduction(ratio, taken, rows) {
            _ if cosine >= SAME && (ratio - 1.0).abs() <= self.norms => Comparison::Agrees,
            Some(seems) if cosine >= SAME => Comparison::Differs(Warning::ReductionDiffers { seems, taken }),
            _ => Comparison::Differs(Warning::ReferenceDiffers { cosine, ratio }),
        }
    }
}

/// How a dumped gradient compares with a computed one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Comparison {
    /// Nothing could be compared.
    None,
    /// They are the same.
    Agrees,
    /// They are not.
    Differs(Warning),
}

/// The number of samples that a gradient is a mean over, if it explains why it is `ratio` times as long as expected from
/// one over `taken`. The rows of the file are the first to think of.
fn reduction(ratio: f64, taken: u64, rows: u64) -> Option<u64> {
    let exact = taken as f64 / ratio;
    let near = |count: f64| (exact / count - 1.0).abs() <= 5e-3;
    let count = if near(rows as f64) { rows as f64 } else { exact.round() };
    ((1.0..=LARGEST_BATCH).contains(&count) && near(count)).then_some(count as u64)
}

fn centred(row: &[f64]) -> Vec<f64> {
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    row.iter().map(|x| x - mean).collect()
}

impl Head {
    /// p_L: the gradient of each sample's own cross-entropy with respect to its state, given e_T.
    pub(super) fn gradient(&self, states: &Rows, errors: &Rows) -> Rows {
        let classes = self.classes();
        let width = self.weight.width;
        let mut p = Rows { values: vec![0.0; states.values.len()], width };
        let weight = Mat::new(&self.weight.values, classes, width);
        matmul(&mut p.values, 1.0, Mat::new(&errors.values, errors.len(), classes), weight);
        let Some(norm) = &self.norm else { return p };
        for (p, state) in p.values.chunks_exact_mut(width).zip(states.iter()) {
            let mut x = state.to_vec();
            let scale = normalise(&mut x, norm.eps);
            p.iter_mut().zip(&norm.weight).for_each(|(p, weight)| *p *= weight);
            // What moves mean or variance of the state, the LayerNorm takes out again.
            let along_mean = p.iter().sum::<f64>() / width as f64;
            let along_x = p.iter().zip(&x).map(|(p, x)| p * x).sum::<f64>() / width as f64;
            p.iter_mut().zip(&x).for_each(|(p, x)| *p = scale * (*p - along_mean - x * along_x));
        }
        p
    }
}
