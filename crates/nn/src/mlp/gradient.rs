//! Gradients of the parameters, one linear layer after the other, each with the LayerNorm before it.

use super::{Mlp, MlpTape};
use crate::Pass;
use crate::linear::{Layer, Sides};
use std::ops::Range;
use tensor::{Float, GradientSink};

/// A linear layer in the order of memory.
#[derive(Clone, Copy)]
enum Place {
    Embed,
    First(usize),
    Second(usize),
    Head,
}

impl Place {
    fn sides<'a, T: Float>(self, layer: &Layer<'_>, pass: &Pass<'a, T, MlpTape<T>>) -> Sides<'a, T> {
        let tape = pass.tape;
        let state = |l: usize, xhat: &'a [T]| if layer.norm.is_some() { xhat } else { &tape.h[l][..] };
        let (x, signal): Sides<'a, T> = match self {
            Place::Embed => (pass.x, &tape.signals[0]),
            Place::First(l) => (state(l, &tape.blocks[l].xhat), &tape.blocks[l].inner),
            Place::Second(l) => (&tape.blocks[l].act, &tape.signals[l + 1]),
            Place::Head => (state(tape.h.len() - 1, &tape.out_xhat), &tape.error),
        };
        (&x[..tape.rows * layer.linear.inputs()], &signal[..tape.rows * layer.linear.outputs()])
    }
}

impl Mlp {
    fn layers(&self) -> impl Iterator<Item = (Place, Layer<'_>)> {
        let embed = (Place::Embed, Layer { norm: None, linear: &self.embed });
        let blocks = self.blocks.iter().enumerate().flat_map(|(l, block)| {
            let first = Layer { norm: block.ln.as_ref(), linear: &block.w1 };
            [(Place::First(l), first), (Place::Second(l), Layer { norm: None, linear: &block.w2 })]
        });
        let head = (Place::Head, Layer { norm: self.out_ln.as_ref(), linear: &self.out_head });
        std::iter::once(embed).chain(blocks).chain([head])
    }

    pub(super) fn cut(&self) -> Vec<(Range<usize>, f64)> {
        let mut stretches = Vec::new();
        self.layers().for_each(|(_, layer)| layer.cut(&mut stretches));
        stretches
    }

    pub(super) fn take_gradient<T: Float>(
        &self,
        passes: &[Pass<'_, T, MlpTape<T>>],
        scale: T,
        stretch: Range<usize>,
        mut sink: GradientSink<'_, T>,
    ) {
        for (place, layer) in self.layers() {
            if let Some(part) = layer.within(&stretch) {
                let sides: Vec<_> = passes.iter().map(|pass| place.sides(&layer, pass)).collect();
                let sink = sink.part(part.start - stretch.start..part.end - stretch.start);
                layer.gradient(&sides, scale, part, sink);
            }
        }
    }
}
