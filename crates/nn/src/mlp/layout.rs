//! The layout of the perceptron's parameters: names, shapes, order.

use super::MlpSpec;
use crate::linear::Affine;
use crate::{Layout, Role, Unit};

#[derive(Clone, Debug)]
pub(super) struct BlockLayers {
    pub(super) ln: Option<Affine>,
    pub(super) w1: Affine,
    pub(super) w2: Affine,
}

/// A checked perceptron: its description and the layout of its parameters, which the caller owns.
#[derive(Clone, Debug)]
pub struct Mlp {
    pub(super) spec: MlpSpec,
    pub(super) layout: Layout,
    pub(super) embed: Affine,
    pub(super) blocks: Vec<BlockLayers>,
    pub(super) out_ln: Option<Affine>,
    pub(super) out_head: Affine,
}

impl Mlp {
    pub(super) fn new(spec: MlpSpec) -> Self {
        let d = spec.d;
        let mut layout = Layout::default();
        let embed = layout.linear(Unit::Embed, "embed", d, spec.inputs);
        let last = [Role::LastWeight { std: spec.w2_std }, Role::LastBias];
        let blocks = (0..spec.blocks)
            .map(|l| {
                let unit = Unit::Block(l);
                let name = |part: &str| format!("blocks.{l}.{part}");
                BlockLayers {
                    ln: spec.block_ln.then(|| layout.norm(unit, &name("ln"), d, Role::Scale)),
                    w1: layout.linear(unit, &name("w1"), d, d),
                    w2: layout.affine(unit, &name("w2"), &[d, d], last),
                }
            })
            .collect();
        let out_ln = spec.out_ln.then(|| layout.norm(Unit::Head, "out_ln", d, Role::Scale));
        let out_head = layout.linear(Unit::Head, "out_head", spec.classes, d);
        Self { spec, layout, embed, blocks, out_ln, out_head }
    }

    /// The description it was built from.
    pub fn spec(&self) -> &MlpSpec {
        &self.spec
    }
}
