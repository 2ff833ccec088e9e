//! The linear layers in the order of memory, each with the LayerNorm before it and what its gradient needs.

use super::{Mlp, MlpTape};
use crate::Pass;
use crate::linear::{Layer, Sides};
use tensor::Float;

/// A linear layer.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Embed,
    First(usize),
    Second(usize),
    Head,
}

impl Place {
    /// A layer's inputs and signals.
    pub(super) fn sides<'a, T: Float>(
        self,
        layer: &Layer<'_>,
        pass: &Pass<'a, T, MlpTape<T>>,
    ) -> Sides<'a, T> {
        let states = &pass.tape.states;
        let own = &pass.tape.own;
        let read = |l: usize, xhat: &'a [T]| if layer.norm.is_some() { xhat } else { &states.h[l][..] };
        let (x, signal): Sides<'a, T> = match self {
            Place::Embed => (pass.x, &states.signals[0]),
            Place::First(l) => (read(l, &own.blocks[l].xhat), &own.blocks[l].inner),
            Place::Second(l) => (&own.blocks[l].act, &states.signals[l + 1]),
            Place::Head => (read(states.h.len() - 1, &own.out_xhat), &states.error),
        };
        (&x[..states.rows * layer.linear.inputs()], &signal[..states.rows * layer.linear.outputs()])
    }
}

impl Mlp {
    pub(super) fn layers(&self) -> impl Iterator<Item = (Place, Layer<'_>)> {
        let embed = (Place::Embed, Layer { norm: None, linear: &self.embed });
        let blocks = self.blocks.iter().enumerate().flat_map(|(l, block)| {
            let first = Layer { norm: block.ln.as_ref(), linear: &block.w1 };
            [(Place::First(l), first), (Place::Second(l), Layer { norm: None, linear: &block.w2 })]
        });
        let head = (Place::Head, Layer { norm: self.out_ln.as_ref(), linear: &self.out_head });
        std::iter::once(embed).chain(blocks).chain([head])
    }
}
