//! What the passes of a transformer store besides the states.

use super::Vit;
use crate::{OwnTape, States};
use tensor::Float;

/// Activations and signals of a transformer for one chunk of a batch.
pub type VitTape<T> = OwnTape<T, VitParts<T>>;

/// What one block keeps, token by token.
#[derive(Clone, Debug)]
pub(super) struct BlockTape<T> {
    /// Normalised input of each LayerNorm, without its weight and bias.
    pub(super) xhat: [Vec<T>; 2],
    pub(super) rstd: [Vec<T>; 2],
    /// Queries, keys and values of each token, each head by head.
    pub(super) qkv: Vec<T>,
    /// Attention weights: sample by sample and head by head, the share of each token (column) in each other (row).
    pub(super) shares: Vec<T>,
    /// Values mixed by those shares: the input of the projection.
    pub(super) mixed: Vec<T>,
    /// Activation of the perceptron.
    pub(super) act: Vec<T>,
    pub(super) slope: Vec<T>,
    /// Leading tokens of each sample that the block's signal reaches: 1, the class token, or all.
    pub(super) reach: Vec<usize>,
    /// Signals at the outputs of the linear layers, at the tokens they reach; that at fc2 is the block's own.
    pub(super) at_qkv: Vec<T>,
    pub(super) at_proj: Vec<T>,
    pub(super) at_fc1: Vec<T>,
}

/// What a transformer keeps besides the states.
#[derive(Clone, Debug)]
pub struct VitParts<T> {
    /// The images as patches, one per row.
    pub(super) patches: Vec<T>,
    pub(super) blocks: Vec<BlockTape<T>>,
    /// Class tokens only.
    pub(super) out_xhat: Vec<T>,
    pub(super) out_rstd: Vec<T>,
    /// Output of the current layer, or the signal there.
    pub(super) work: Vec<T>,
    /// Class tokens of all samples, or their signals.
    pub(super) class_tokens: Vec<T>,
    /// Signal at the scores of one head.
    pub(super) scores: Vec<T>,
}

impl<T: Float> VitTape<T> {
    pub(super) fn new(net: &Vit, rows: usize) -> Self {
        let spec = &net.spec;
        let tokens = net.tokens();
        let d = spec.d;
        let mlp = spec.mlp;
        let all = rows * tokens;
        let zeros = |n: usize| vec![T::ZERO; n];
        let block = |_| BlockTape {
            xhat: [zeros(all * d), zeros(all * d)],
            rstd: [zeros(all), zeros(all)],
            qkv: zeros(all * 3 * d),
            shares: zeros(all * spec.heads * tokens),
            mixed: zeros(all * d),
            act: zeros(all * mlp),
            slope: zeros(all * mlp),
            reach: vec![tokens; rows],
            at_qkv: zeros(all * 3 * d),
            at_proj: zeros(all * d),
            at_fc1: zeros(all * mlp),
        };
        let own = VitParts {
            patches: zeros(rows * spec.channels * spec.height * spec.width),
            blocks: (0..spec.blocks).map(block).collect(),
            out_xhat: zeros(rows * d),
            out_rstd: zeros(rows),
            work: zeros(all * d),
            class_tokens: zeros(rows * d),
            scores: zeros(tokens * tokens),
        };
        Self { states: States::new(net, rows), own }
    }
}
