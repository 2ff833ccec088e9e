//! A network and the tensors that its rule saves, with all shapes checked.

use super::arithmetic::Arithmetic;
use super::bridge::Bridge;
use super::carrier::Carrier;
use super::matrix::Matrix;
use super::path::PlainPath;
use super::reader::TensorReader;
use super::recorded::{PlainNetwork, PlainTensor};
use rules::Replacement;
use std::collections::BTreeMap;

/// Weight (outputs × inputs) and bias.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub(super) weight: Matrix,
    pub(super) bias: Vec<f64>,
}

/// Gain and bias of a LayerNorm.
#[derive(Clone, Debug)]
pub(super) struct Norm {
    pub(super) weight: Vec<f64>,
    pub(super) bias: Vec<f64>,
}

#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) ln: Option<Norm>,
    pub(super) w1: Linear,
    pub(super) w2: Linear,
}

/// The nonlinearity between W1 and W2.
#[derive(Clone, Copy, Debug)]
pub(super) enum Activation {
    Gelu,
    Blend(f64),
}

/// A network and the feedback or the bridge of its rule.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    pub(super) embed: Linear,
    pub(super) blocks: Vec<Block>,
    pub(super) out_ln: Option<Norm>,
    pub(super) head: Linear,
    pub(super) feedback: Vec<Matrix>,
    /// By block; empty for rules that have none.
    pub(super) carriers: Vec<Carrier>,
    /// For rules whose credit a bridge gives.
    pub(super) bridge: Option<Bridge>,
    pub(super) activation: Activation,
    pub(super) skip: bool,
}

impl Weights {
    /// Reads the tensors that the network and the rule need; an error names the one that is missing or wrong.
    pub(super) fn read(
        tensors: &BTreeMap<String, PlainTensor>,
        net: &PlainNetwork,
        path: PlainPath,
    ) -> Result<Self, String> {
        let (blocks, block_ln, out_ln, activation, skip) = match *net {
            PlainNetwork::Resmlp { blocks, out_ln, skip } => (blocks, true, out_ln, Activation::Gelu, skip),
            PlainNetwork::Student { blocks, alpha, skip } => {
                (blocks, false, false, Activation::Blend(alpha), skip)
            }
            PlainNetwork::Other { ref name } => return Err(format!("no plain path for the network {name}")),
        };
        let reader = TensorReader { tensors };
        let (d, inputs) = reader.sizes("embed.weight")?;
        let (classes, _) = reader.sizes("out_head.weight")?;
        let block = |l: usize| {
            let ln = block_ln.then(|| reader.norm(&format!("blocks.{l}.ln"), d)).transpose()?;
            let linear = |name: &str| reader.linear(&format!("blocks.{l}.{name}"), d, d);
            Ok(Block { ln, w1: linear("w1")?, w2: linear("w2")? })
        };
        let (matrices, cols) = path.matrices(blocks, d, classes);
        let embed = reader.linear("embed", d, inputs)?;
        let blocks: Vec<Block> = (0..blocks).map(block).collect::<Result<_, String>>()?;
        let difference =
            |l: usize, name: &str| reader.matrix(&format!("rule.difference.blocks.{l}.{name}.weight"), d, d);
        let carriers = match path {
            PlainPath::Replaced(Replacement::Signs) => blocks.iter().map(Carrier::of_signs).collect(),
            PlainPath::Replaced(Replacement::Differences) => {
                let carrier = |(l, block): (usize, &Block)| {
                    Ok(Carrier::of_differences(block, difference(l, "w1")?, difference(l, "w2")?))
                };
                blocks.iter().enumerate().map(carrier).collect::<Result<_, String>>()?
            }
            _ => Vec::new(),
        };
        let head = reader.linear("out_head", classes, d)?;
        let bridge = Bridge::read(reader, path, d, classes, blocks.len())?;
        Ok(Self {
            embed,
            blocks,
            out_ln: out_ln.then(|| reader.norm("out_ln", d)).transpose()?,
            head,
            feedback: (0..matrices)
                .map(|l| reader.matrix(&format!("feedback.{l}"), d, cols))
                .collect::<Result<_, _>>()?,
            carriers,
            bridge,
            activation,
            skip,
        })
    }

    /// Width of the hidden states.
    pub(super) fn width(&self) -> usize {
        self.embed.weight.rows
    }

    /// A copy with all matrices rounded, see [`Matrix::round`].
    pub(super) fn rounded(&self, arithmetic: &mut Arithmetic) -> Self {
        let mut weights = self.clone();
        let blocks = weights.blocks.iter_mut().flat_map(|block| [&mut block.w1, &mut block.w2]);
        let linear = blocks.chain([&mut weights.embed, &mut weights.head]);
        linear.for_each(|linear| linear.weight.round(arithmetic));
        weights.feedback.iter_mut().for_each(|matrix| matrix.round(arithmetic));
        weights.carriers.iter_mut().for_each(|carrier| carrier.round(arithmetic));
        weights.bridge.iter_mut().for_each(|bridge| bridge.round(arithmetic));
        weights
    }
}
