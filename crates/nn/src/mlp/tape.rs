//! What the passes of a perceptron store besides the states.

use super::Mlp;
use crate::{OwnTape, States};
use tensor::Float;

/// Activations and signals of a perceptron for one chunk of a batch.
pub(crate) type MlpTape<T> = OwnTape<T, MlpParts<T>>;

/// What one block keeps.
#[derive(Clone, Debug)]
pub(super) struct BlockTape<T> {
    /// Normalised input, without the LayerNorm's weight and bias; empty if the block has no LayerNorm.
    pub(super) xhat: Vec<T>,
    pub(super) rstd: Vec<T>,
    /// Slope of the activation.
    pub(super) slope: Vec<T>,
    pub(super) act: Vec<T>,
    /// Signal at W1's output.
    pub(super) inner: Vec<T>,
}

/// What a perceptron keeps besides the states.
#[derive(Clone, Debug)]
pub struct MlpParts<T> {
    pub(super) blocks: Vec<BlockTape<T>>,
    pub(super) out_xhat: Vec<T>,
    pub(super) out_rstd: Vec<T>,
    /// Output of the current LayerNorm, or the signal there.
    pub(super) normed: Vec<T>,
}

impl<T: Float> MlpTape<T> {
    pub(super) fn new(net: &Mlp, rows: usize) -> Self {
        let spec = &net.spec;
        let n = rows * spec.d;
        let zeros = |n: usize| vec![T::ZERO; n];
        let zeros_if = |used: bool, n: usize| zeros(if used { n } else { 0 });
        let block = |_| BlockTape {
            xhat: zeros_if(spec.block_ln, n),
            rstd: zeros_if(spec.block_ln, rows),
            slope: zeros(n),
            act: zeros(n),
            inner: zeros(n),
        };
        let own = MlpParts {
            blocks: (0..spec.blocks).map(block).collect(),
            out_xhat: zeros_if(spec.out_ln, n),
            out_rstd: zeros_if(spec.out_ln, rows),
            normed: zeros_if(spec.block_ln || spec.out_ln, n),
        };
        Self { states: States::new(net, rows), own }
    }
}
