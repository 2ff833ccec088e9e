//! The linear layers in memory order, each with the LayerNorm before it and what its gradient needs.

use super::{Vit, VitTape};
use crate::Pass;
use crate::linear::{InputAndSignal, Layer};
use std::ops::Range;
use tensor::Float;

/// A linear layer.
#[derive(Clone, Copy)]
pub(super) enum LayerId {
    Embed,
    Qkv(usize),
    Proj(usize),
    Fc1(usize),
    Fc2(usize),
    Head,
}

/// Tokens per group, at least.
const GROUP: usize = 512;

impl Vit {
    pub(super) fn layers(&self) -> impl Iterator<Item = (LayerId, Layer<'_>)> {
        let embed = (LayerId::Embed, Layer { norm: None, linear: &self.embed });
        let blocks = self.blocks.iter().enumerate().flat_map(|(l, block)| {
            [
                (LayerId::Qkv(l), Layer { norm: Some(&block.ln1), linear: &block.qkv }),
                (LayerId::Proj(l), Layer { norm: None, linear: &block.proj }),
                (LayerId::Fc1(l), Layer { norm: Some(&block.ln2), linear: &block.fc1 }),
                (LayerId::Fc2(l), Layer { norm: None, linear: &block.fc2 }),
            ]
        });
        let head = (LayerId::Head, Layer { norm: Some(&self.out_ln), linear: &self.out_head });
        std::iter::once(embed).chain(blocks).chain([head])
    }

    /// Ranges of tokens, a few samples at a time: a layer's output is still cached when the next one reads it.
    pub(super) fn groups(&self, samples: usize) -> impl Iterator<Item = Range<usize>> {
        let tokens = self.tokens();
        let most = GROUP.div_ceil(tokens);
        (0..samples).step_by(most).map(move |i| i * tokens..samples.min(i + most) * tokens)
    }

    /// Tokens of a sample: the class token, then its patches.
    pub(super) fn tokens(&self) -> usize {
        1 + self.spec.patches()
    }

    /// Rows of a sample at a layer.
    pub(super) fn rows(&self, id: LayerId) -> usize {
        match id {
            LayerId::Embed => self.spec.patches(),
            LayerId::Head => 1,
            _ => self.tokens(),
        }
    }

    /// A layer's inputs and signals, sample by sample, of the tokens that a signal has reached. These depend on each sample
    /// alone, so the order of the sums does not depend on the split into passes.
    pub(super) fn sides<'a, T: Float>(
        &self,
        id: LayerId,
        layer: &Layer<'_>,
        pass: &Pass<'a, T, VitTape<T>>,
    ) -> Vec<InputAndSignal<'a, T>> {
        let VitTape { states, own } = pass.tape;
        let inputs = layer.linear.inputs();
        let outputs = layer.linear.outputs();
        let whole =
            |x: &'a [T], signal: &'a [T], rows: usize| vec![(&x[..rows * inputs], &signal[..rows * outputs])];
        let (x, signal, l): (&'a [T], &'a [T], usize) = match id {
            LayerId::Embed => {
                let patches = own.patches.chunks_exact(self.spec.patches() * inputs);
                return patches
                    .zip(self.embedded(pass.tape))
                    .map(|(x, signal)| (x, &signal[outputs..]))
                    .collect();
            }
            LayerId::Head => return whole(&own.out_xhat, &states.error, states.rows),
            LayerId::Qkv(l) => {
                let kept = &own.blocks[l];
                return whole(&kept.xhat[0], &kept.at_qkv, states.rows * self.tokens());
            }
            LayerId::Proj(l) => (&own.blocks[l].mixed, &own.blocks[l].at_proj, l),
            LayerId::Fc1(l) => (&own.blocks[l].xhat[1], &own.blocks[l].at_fc1, l),
            LayerId::Fc2(l) => (&own.blocks[l].act, &states.signals[l + 1], l),
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
