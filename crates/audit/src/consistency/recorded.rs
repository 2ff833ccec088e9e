//! What a run has recorded, as input of the comparison.

use rules::Formula;
use std::collections::BTreeMap;

/// A tensor under PyTorch's shape, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainTensor {
    /// Shape; the weight of a linear layer is (outputs, inputs).
    pub shape: Vec<usize>,
    /// As many values as the shape has elements.
    pub values: Vec<f64>,
}

/// A network, as the recipe describes it.
#[derive(Clone, Debug, PartialEq)]
pub enum PlainNetwork {
    /// The residual MLP: LayerNorm at the entrance of each block, exact GELU.
    Resmlp {
        /// Number of blocks L.
        blocks: usize,
        /// LayerNorm before the head.
        out_ln: bool,
        /// h_{l+1} = h_l + f_l(h_l), or f_l(h_l) alone.
        skip: bool,
    },
    /// The student: no LayerNorm, φ_α(z) = (1−α)·z + α·tanh z.
    Student {
        /// Number of blocks L.
        blocks: usize,
        /// α.
        alpha: f64,
        /// h_{l+1} = h_l + f_l(h_l), or f_l(h_l) alone.
        skip: bool,
    },
    /// Any other, which has no plain path yet.
    Other {
        /// Its name in recipes.
        name: String,
    },
}

impl PlainNetwork {
    /// Number of blocks, if known.
    pub(super) fn blocks(&self) -> Option<usize> {
        match *self {
            Self::Resmlp { blocks, .. } | Self::Student { blocks, .. } => Some(blocks),
            Self::Other { .. } => None,
        }
    }
}

/// The credit that training used on a fixed batch, and everything it is computed from.
#[derive(Clone, Debug)]
pub struct Recorded<'a> {
    /// Name of the rule, for messages.
    pub rule: &'a str,
    /// The rule's formula for its credit from weights and feedback; none if it cannot be recomputed.
    pub formula: Option<Formula>,
    /// λ, which enters [`Formula::Gradient`] only: other rules' raw credit has no penalty.
    pub penalty: f64,
    /// The network.
    pub net: PlainNetwork,
    /// Weights and feedback under the names of the checkpoint.
    pub tensors: &'a BTreeMap<String, PlainTensor>,
    /// Inputs, sample after sample.
    pub x: &'a [f32],
    /// The labels that training used.
    pub labels: &'a [u8],
    /// N of the mean that [`Formula::Chain`] reduces over.
    pub batch: usize,
    /// Raw credit of the embedding, block 0, block 1, …, sample after sample.
    pub credit: &'a [Vec<f32>],
}
