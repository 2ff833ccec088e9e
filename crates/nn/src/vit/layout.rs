//! The layout of the transformer's parameters: names, shapes, order.

use super::VitSpec;
use crate::linear::Affine;
use crate::{Layout, Role, Unit};
use std::ops::Range;

#[derive(Clone, Debug)]
pub(super) struct BlockLayers {
    pub(super) ln1: Affine,
    pub(super) qkv: Affine,
    pub(super) proj: Affine,
    pub(super) ln2: Affine,
    pub(super) fc1: Affine,
    pub(super) fc2: Affine,
}

/// A checked transformer: its description and the layout of its parameters, which the caller owns.
#[derive(Clone, Debug)]
pub struct Vit {
    pub(super) spec: VitSpec,
    pub(super) layout: Layout,
    pub(super) cls_token: Range<usize>,
    pub(super) pos_embed: Range<usize>,
    pub(super) embed: Affine,
    pub(super) blocks: Vec<BlockLayers>,
    pub(super) out_ln: Affine,
    pub(super) out_head: Affine,
}

impl Vit {
    pub(super) fn new(spec: VitSpec) -> Self {
        let d = spec.d;
        let inputs = spec.channels * spec.patch * spec.patch;
        let mut layout = Layout::default();
        // Three axes, as is usual in PyTorch; they also distinguish these two from weights, which are stored in panels.
        let mut tokens =
            |name: &str, count| layout.push(Unit::Embed, Role::Token, name.to_owned(), &[1, count, d]);
        let cls_token = tokens("cls_token", 1);
        let pos_embed = tokens("pos_embed", 1 + spec.patches());
        let embed = layout.linear(Unit::Embed, "embed", d, inputs);
        let blocks = (0..spec.blocks)
            .map(|l| {
                let unit = Unit::Block(l);
                let name = |part: &str| format!("blocks.{l}.{part}");
                BlockLayers {
                    ln1: layout.norm(unit, &name("ln1"), d, Role::Scale),
                    qkv: layout.linear(unit, &name("qkv"), 3 * d, d),
                    proj: layout.linear(unit, &name("proj"), d, d),
                    ln2: layout.norm(unit, &name("ln2"), d, Role::Scale),
                    fc1: layout.linear(unit, &name("fc1"), spec.mlp, d),
                    fc2: layout.linear(unit, &name("fc2"), d, spec.mlp),
                }
            })
            .collect();
        let out_ln = layout.norm(Unit::Head, "out_ln", d, Role::Scale);
        let out_head = layout.linear(Unit::Head, "out_head", spec.classes, d);
        Self { spec, layout, cls_token, pos_embed, embed, blocks, out_ln, out_head }
    }

    /// The description it was built from.
    pub fn spec(&self) -> &VitSpec {
        &self.spec
    }
}
