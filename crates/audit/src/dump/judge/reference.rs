//! Recomputes the gradient at h_L from head, labels and h_L, and compares the dumped one with it.
//!
//! A reference that was saved from the wrong layer, or reduced over the batch without saying so, silently makes every
//! measurement against it wrong. At h_L it can be checked.

use super::downstream::normalise;
use crate::dump::{DumpRows, Head, LastNorm};
use crate::{CosineMean, median, norms};
use protocol::SAME_GRADIENT;
use record::audit::Warning;
use tensor::{Mat, matmul};

/// The expected precision of dumped numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Precision {
    /// Largest relative difference of logits due to rounding.
    logits: f64,
    /// Largest relative difference of the norms of gradients.
    norms: f64,
    /// ‖e_T‖ below which rounding in the softmax leaves a gradient too few digits.
    error: f64,
}

/// Larger factors between gradients do not come from a mean.
const LARGEST_BATCH: f64 = 65536.0;

impl Precision {
    /// `half`: whether some tensors are in half precision.
    pub(super) fn of(half: bool) -> Self {
        if half {
            Self { logits: 3e-2, norms: 5e-2, error: 0.1 }
        } else {
            Self { logits: 1e-3, norms: 1e-2, error: 1e-3 }
        }
    }

    /// The warning that the head does not give the dumped logits, if it does not. A constant over all classes does not
    /// count, since no loss depends on it; samples that are not finite are omitted.
    pub(super) fn head(self, dumped: &DumpRows, found: &DumpRows) -> Option<Warning> {
        let mut apart = 0.0;
        let mut size = [0.0; 2];
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
        // If all logits are equal there is nothing to compare, and the ratio is NaN.
        (difference > self.logits).then_some(Warning::HeadDiffers { difference })
    }

    /// Compares the dumped p_L with the computed one, on samples whose error is large enough.
    pub(super) fn gradient(
        self,
        dumped: &DumpRows,
        computed: &DumpRows,
        errors: &DumpRows,
        taken: u64,
    ) -> Comparison {
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
        // Zeros have no direction, so they do not agree.
        let cosine = cosines.mean().unwrap_or(0.0);
        let ratio = median(ratios);
        let rows = dumped.len() as u64;
        match reduction(ratio, taken, rows) {
            _ if cosine >= SAME_GRADIENT && (ratio - 1.0).abs() <= self.norms => Comparison::Agrees,
            Some(seems) if cosine >= SAME_GRADIENT => {
                Comparison::Differs(Warning::ReductionDiffers { seems, taken })
            }
            _ => Comparison::Differs(Warning::ReferenceDiffers { cosine, ratio }),
        }
    }
}

/// The result of comparing a dumped gradient with a computed one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Comparison {
    /// Nothing could be compared.
    None,
    /// They agree.
    Agrees,
    /// They differ.
    Differs(Warning),
}

/// The number of samples that a gradient is a mean over, if that explains why it is `ratio` times as long as one over
/// `taken`. The number of rows in the file is tried first.
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
    pub(super) fn gradient(&self, states: &DumpRows, errors: &DumpRows) -> DumpRows {
        let classes = self.classes();
        let width = self.weight.width;
        let mut p = vec![0.0; errors.len() * width];
        let weight = Mat::new(&self.weight.values, classes, width);
        matmul(&mut p, 1.0, Mat::new(&errors.values, errors.len(), classes), weight);
        if let Some(norm) = &self.norm {
            norm.carry_down(&mut p, &self.pooled(&states.values));
        }
        let values = self.pooling.map_or_else(|| p.clone(), |pooling| pooling.spread(&p));
        DumpRows { values, width: states.width }
    }
}

impl LastNorm {
    /// The gradient at its input, given that at its output and the inputs.
    fn carry_down(&self, gradients: &mut [f64], inputs: &[f64]) {
        let width = self.weight.len();
        for (p, input) in gradients.chunks_exact_mut(width).zip(inputs.chunks_exact(width)) {
            let mut x = input.to_vec();
            let scale = normalise(&mut x, self.eps);
            p.iter_mut().zip(&self.weight).for_each(|(p, weight)| *p *= weight);
            // LayerNorm removes the components that change mean or variance of the state.
            let along_mean = p.iter().sum::<f64>() / width as f64;
            let along_x = p.iter().zip(&x).map(|(p, x)| p * x).sum::<f64>() / width as f64;
            p.iter_mut().zip(&x).for_each(|(p, x)| *p = scale * (*p - along_mean - x * along_x));
        }
    }
}
