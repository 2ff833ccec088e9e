//! The contents of a checked dump.

use super::{About, Origin};

/// Rows of numbers: one per sample, or one per class for the weights of a head.
#[derive(Clone, Debug, PartialEq)]
pub struct DumpRows {
    /// All rows, one after the other.
    pub values: Vec<f64>,
    /// Numbers per row, at least 1.
    pub width: usize,
}

impl DumpRows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.values.len() / self.width
    }

    /// Whether there are none; never the case in a dump.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The rows, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.width)
    }
}

/// What the reference gradients of a dump are gradients of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Each sample's own loss: `p.*`.
    Own,
    /// The mean loss over some number of samples, which the dump does not contain: `g.*`.
    Mean,
}

/// Reference gradients at h_0 … h_L.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradients {
    /// What they are gradients of.
    pub of: Loss,
    /// One per hidden state, of the same width.
    pub layers: Vec<DumpRows>,
    /// Whether all are in f64, so that small ones are as sound as large ones.
    pub exact: bool,
}

impl Gradients {
    /// The factor that turns them into p, the gradient of each sample's own loss: 1, or the number of samples in the
    /// mean, which is `mean_over` or, without it, the number of rows.
    pub fn factor(&self, mean_over: Option<u64>) -> f64 {
        match self.of {
            Loss::Own => 1.0,
            Loss::Mean => mean_over.unwrap_or_else(|| self.layers[0].len() as u64) as f64,
        }
    }
}

/// Credit as the rule gives it, before any normalisation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Credit {
    /// The embedding's, which acts at h_0.
    pub embed: Option<DumpRows>,
    /// The blocks'; that of block l acts at h_{l+1}. Empty, or one per block.
    pub blocks: Vec<DumpRows>,
}

/// Changes of the loss that were measured around a state.
#[derive(Clone, Debug, PartialEq)]
pub struct LossChanges {
    /// Random directions, one per row, the same for every sample.
    pub directions: DumpRows,
    /// One row per sample: the change of its own loss per unit of each direction.
    pub changes: DumpRows,
}

/// A LayerNorm between h_L and the head.
#[derive(Clone, Debug, PartialEq)]
pub struct LastNorm {
    /// Its scale, one number per feature.
    pub weight: Vec<f64>,
    /// Its shift.
    pub bias: Option<Vec<f64>>,
    /// Added to the variance; 1e-5 unless the dump has it.
    pub eps: f64,
}

/// A mean over the positions of a state, which a head may read in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pooling {
    /// Positions, such as tokens or pixels.
    pub positions: usize,
    /// Features per position.
    pub features: usize,
    /// Whether all features of a position stand together, as those of a token do; else all positions of a channel.
    pub features_last: bool,
}

/// The head, which computes logits from h_L.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// One row per class, as wide as what the head reads.
    pub weight: DumpRows,
    /// The mean over positions that it reads, if it does not read h_L itself.
    pub pooling: Option<Pooling>,
    /// One number per class.
    pub bias: Option<Vec<f64>>,
    /// The LayerNorm before it.
    pub norm: Option<LastNorm>,
}

/// A tensor that the layout does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// Its name in the file.
    pub name: String,
    /// The name that was likely meant.
    pub meant: Option<String>,
}

/// The contents of a dump. Numbers may be infinite or NaN; shapes and counts agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Dump {
    /// Where it comes from.
    pub origin: Origin,
    /// Samples, at least 1; every tensor with one row per sample has this many.
    pub samples: usize,
    /// Blocks, L.
    pub blocks: usize,
    /// h_0 … h_L. Empty if the dump has none; then it has gradients.
    pub hidden: Vec<DumpRows>,
    /// Reference gradients at h_0 … h_L.
    pub gradients: Option<Gradients>,
    /// Credit.
    pub credit: Credit,
    /// Measured loss changes, one entry per hidden state.
    pub loss_changes: Vec<Option<LossChanges>>,
    /// The class of each sample, below the number of classes if that is known.
    pub labels: Option<Vec<usize>>,
    /// One number per class for each sample.
    pub logits: Option<DumpRows>,
    /// The head.
    pub head: Option<Head>,
    /// What it says about its run.
    pub about: About,
    /// Names of the tensors in half precision.
    pub half: Vec<String>,
    /// Tensors that the layout does not know, by name.
    pub ignored: Vec<Ignored>,
}
