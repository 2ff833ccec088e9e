//! The linear layers in memory order, each with the LayerNorm before it and what its gradient needs.

use super::{Mlp, MlpTape};
use crate::Pass;
use crate::linear::{InputAndSignal, Layer};
use tensor::Float;

/// A linear layer.
#[derive(Clone, Copy)]
pub(super) enum LayerId {
    Embed,
    First(usize),
    Second(usize),
    Head,
}

impl LayerId {
    /// A layer's inputs and signals.
    pub(super) fn sides<'a, T: Float>(
        self,
        layer: &Layer<'_>,
        pass: &Pass<'a, T, MlpTape<T>>,
    ) -> InputAndSignal<'a, T> {
        let states = &pass.tape.states;
        let own = &pass.tape.own;
        let read = |l: usize, xhat: &'a [T]| if layer.norm.is_some() { xhat } else { &states.h[l][..] };
        let (x, signal): InputAndSignal<'a, T> = match self {
            LayerId::Embed => (pass.x, &states.signals[0]),
            LayerId::First(l) => (read(l, &own.blocks[l].xhat), &own.blocks[l].inner),
            LayerId::Second(l) => (&own.blocks[l].act, &states.signals[l + 1]),
            LayerId::Head => (read(states.h.len() - 1, &own.out_xhat), &states.error),
        };
        (&x[..states.rows * layer.linear.inputs()], &signal[..states.rows * layer.linear.outputs()])
    }
}

impl Mlp {
    pub(super) fn layers(&self) -> impl Iterator<Item = (LayerId, Layer<'_>)> {
        let embed = (LayerId::Embed, Layer { norm: None, linear: &self.embed });
        let blocks = self.blocks.iter().enumerate().flat_map(|(l, block)| {
            let first = Layer { norm: block.ln.as_ref(), linear: &block.w1 };
            [(LayerId::First(l), first), (LayerId::Second(l), Layer { norm: None, linear: &block.w2 })]
        });
        let head = (LayerId::Head, Layer { norm: self.out_ln.as_ref(), linear: &self.out_head });
        std::iter::once(embed).chain(blocks).chain([head])
    }
}
