//! The linear layers in the order of memory, each with the LayerNorm before it and what its gradient needs.

use super::{Vit, VitTape};
use crate::Pass;
use crate::linear::{Layer, Sides};
use tensor::Float;

/// A linear layer.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Embed,
    Qkv(usize),
    Proj(usize),
    Fc1(usize),
    Fc2(usize),
    Head,
}

impl Vit {
    pub(super) fn layers(&self) -> impl Iterator<Item = (Place, Layer<'_>)> {
        let embed = (Place::Embed, Layer { norm: None, linear: &self.embed });
        let blocks = self.blocks.iter().enumerate().flat_map(|(l, block)| {
            [
                (Place::Qkv(l), Layer { norm: Some(&block.ln1), linear: &block.qkv }),
                (Place::Proj(l), Layer { norm: None, linear: &block.proj }),
                (Place::Fc1(l), Layer { norm: Some(&block.ln2), linear: &block.fc1 }),
                (Place::Fc2(l), Layer { norm: None, linear: &block.fc2 }),
            ]
        });
        let head = (Place::Head, Layer { norm: Some(&self.out_ln), linear: &self.out_head });
        std::iter::once(embed).chain(blocks).chain([head])
    }

    /// Rows that a sample has at a layer.
    pub(super) fn rows(&self, place: Place) -> usize {
        match place {
            Place::Embed => self.patches(),
            Place::Head => 1,
            _ => self.tokens(),
        }
    }

    /// A layer's inputs and signals, sample by sample, of the tokens that it has seen and that a signal has reached. Which
    /// these are depends on each sample alone, hence the order of the sums does as well, whatever pass it runs in.
    pub(super) fn sides<'a, T: Float>(
        &self,
        place: Place,
        layer: &Layer<'_>,
        pass: &Pass<'a, T, VitTape<T>>,
    ) -> Vec<Sides<'a, T>> {
        let VitTape { states, own } = pass.tape;
        let inputs = layer.linear.inputs();
        let outputs = layer.linear.outputs();
        let whole =
            |x: &'a [T], signal: &'a [T], rows: usize| vec![(&x[..rows * inputs], &signal[..rows * outputs])];
        let (x, signal, l): (&'a [T], &'a [T], usize) = match place {
            Place::Embed => {
                let patches = own.patches.chunks_exact(self.patches() * inputs);
                return patches
                    .zip(self.embedded(pass.tape))
                    .map(|(x, signal)| (x, &signal[outputs..]))
                    .collect();
            }
            Place::Head => return whole(&own.out_xhat, &states.error, states.rows),
            Place::Qkv(l) => {
                let kept = &own.blocks[l];
                return whole(&kept.xhat[0], &kept.at_qkv, states.rows * self.tokens());
            }
            Place::Proj(l) => (&own.blocks[l].mixed, &own.blocks[l].at_proj, l),
            Place::Fc1(l) => (&own.blocks[l].xhat[1], &own.blocks[l].at_fc1, l),
            Place::Fc2(l) => (&own.blocks[l].act, &states.signals[l + 1], l),
        };
        let each = x.chunks_exact(self.tokens() * inputs).zip(signal.chunks_exact(self.tokens() * outputs));
        let each = each.zip(&own.blocks[l].reach[..states.rows]);
        each.map(|((x, signal), reach)| (&x[..reach * inputs], &signal[..reach * outputs])).collect()
    }

    /// The signals at h_0, sample by sample.
    pub(super) fn embedded<'a, T>(&self, tape: &'a VitTape<T>) -> impl Iterator<Item = &'a [T]> + use<'a, T> {
        tape.states.signals[0].chunks_exact(self.tokens() * self.spec.d).take(tape.states.rows)
    }
}
