//! Forward differences: how the loss of a sample changes where one of its hidden states shifts, without a second pass.
//!
//! What is carried through the layers is the difference of two passes, never their values. A product of a difference is the
//! difference of two products, and every other part has a formula that keeps all orders and loses no digits
//! (`tensor/src/difference`). So differences are carried in f32 however large the states are; the unmoved activations come
//! from one pass in f64. The backward passes share no code with this.

use crate::linear::Affine;
use tensor::{CrossEntropyAt, Sides, layer_norm};

/// Some unmoved samples.
#[derive(Clone, Copy, Debug)]
pub struct UnmovedSamples<'a> {
    /// h_0 … h_L, whole.
    pub h: &'a [Vec<f64>],
    /// Outputs.
    pub logits: &'a [f64],
    /// Label of each sample.
    pub labels: &'a [u8],
}

/// A network that carries differences.
pub trait ForwardDifference: Send + Sync {
    /// Computes what the differences around some samples need.
    fn around<'a>(&'a self, samples: UnmovedSamples<'_>) -> Box<dyn Differences + 'a>;
}

/// The differences around some samples.
pub trait Differences: Send + Sync {
    /// The loss of each sample.
    fn losses(&self) -> &[f64];

    /// How the loss changes where h_layer shifts, for rows of shifts; `owners` says to which sample a row belongs. A row may be
    /// shorter than a state, whose other values then stay.
    fn changes(&self, layer: usize, shifts: &[f32], owners: &[usize], sides: Sides, changes: &mut [f64]);
}

/// Most values of shifts that are carried together: half a megabyte, which stays in the cache.
const VALUES: usize = 1 << 17;

/// Rows of this width that are carried together.
pub(crate) fn together(width: usize) -> usize {
    (VALUES / width).max(1)
}

/// The values in f32.
pub(crate) fn narrow(values: &[f64]) -> Vec<f32> {
    values.iter().map(|&x| x as f32).collect()
}

/// A LayerNorm's unmoved rows.
#[derive(Clone, Debug)]
pub(crate) struct NormAt {
    pub(crate) xhat: Vec<f32>,
    pub(crate) rstd: Vec<f32>,
}

impl NormAt {
    /// At these rows; also the LayerNorm's output.
    pub(crate) fn new(h: &[f64], params: &[f64], norm: &Affine) -> (Self, Vec<f64>) {
        let width = norm.bias.len();
        let [mut xhat, mut out] = [vec![0.0; h.len()], vec![0.0; h.len()]];
        let mut rstd = vec![0.0; h.len() / width];
        layer_norm(
            h,
            &params[norm.weight.clone()],
            &params[norm.bias.clone()],
            &mut xhat,
            &mut rstd,
            &mut out,
        );
        (Self { xhat: narrow(&xhat), rstd: narrow(&rstd) }, out)
    }
}

/// Writes the change of the loss of each row from the shifts of its logits.
pub(crate) fn loss_changes(
    at: &CrossEntropyAt,
    shifts: &[f32],
    owners: &[usize],
    sides: Sides,
    changes: &mut [f64],
) {
    let classes = shifts.len() / owners.len().max(1);
    for ((change, shift), &owner) in changes.iter_mut().zip(shifts.chunks_exact(classes.max(1))).zip(owners) {
        *change = at.change(owner, shift, sides);
    }
}
