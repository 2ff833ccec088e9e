//! What a dump holds, once it is known to fit together.

use super::Origin;

/// Rows of numbers: one per sample, or one per class for the weights of a head.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// All rows, one after the other.
    pub values: Vec<f64>,
    /// Numbers in a row, at least 1.
    pub width: usize,
}

impl Rows {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.values.len() / self.width
    }

    /// Whether there are none; never so in a dump.
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
    /// The mean loss over some number of samples, which the dump does not say: `g.*`.
    Mean,
}

/// Reference gradients at h_0 … h_L.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradients {
    /// What they are gradients of.
    pub of: Loss,
    /// One per hidden state, as wide as it.
    pub layers: Vec<Rows>,
}

impl Gradients {
    /// What to multiply them by to get p, the gradient of each sample's own loss: 1, or the number of samples in the
    /// mean. That is `mean_over`, or without it, the number of rows.
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
    /// Of the embedding; acts at h_0.
    pub embed: Option<Rows>,
    /// Of the blocks; that of block l acts at h_{l+1}. Empty, or one per block.
    pub blocks: Vec<Rows>,
}

/// A LayerNorm between h_L and the head.
#[derive(Clone, Debug, PartialEq)]
pub struct LastNorm {
    /// Its scale, one number per feature.
    pub weight: Vec<f64>,
    /// Its shift.
    pub bias: Option<Vec<f64>>,
    /// Added to the variance; 1e-5 where the dump does not say.
    pub eps: f64,
}

/// What makes logits of h_L.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// One row per class, as wide as h_L.
    pub weight: Rows,
    /// One number per class.
    pub bias: Option<Vec<f64>>,
    /// What h_L goes through first.
    pub norm: Option<LastNorm>,
}

/// A tensor that the layout does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// Its name, as the file has it.
    pub name: String,
    /// What was likely meant, where a slip is likely.
    pub meant: Option<String>,
}

/// The contents of a dump. Numbers may be infinite or NaN; shapes and counts are known to agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Dump {
    /// Where it comes from.
    pub origin: Origin,
    /// Samples, at least 1; every tensor with one row per sample has this many.
    pub samples: usize,
    /// Blocks, L.
    pub blocks: usize,
    /// h_0 … h_L. Empty where the dump has none; then it has gradients.
    pub hidden: Vec<Rows>,
    /// Reference gradients at h_0 … h_L.
    pub gradients: Option<Gradients>,
    /// Credit.
    pub credit: Credit,
    /// The class of each sample, below the number of classes where that is known.
    pub labels: Option<Vec<usize>>,
    /// One number per class for each sample.
    pub logits: Option<Rows>,
    /// The way from h_L to the logits.
    pub head: Option<Head>,
    /// Epochs trained.
    pub epoch: Option<u64>,
    /// Names of the tensors that came in half precision.
    pub half: Vec<String>,
    /// Tensors that the layout does not know, by name.
    pub ignored: Vec<Ignored>,
}
