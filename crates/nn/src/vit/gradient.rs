//! Gradients of the parameters: those of class token and positions, then one linear layer after the other, each with the
//! LayerNorm before it.

use super::{Vit, VitTape};
use crate::Pass;
use crate::linear::{Layer, Sides};
use std::ops::Range;
use tensor::{Float, GradientSink, col_sums};

/// A linear layer in the order of memory.
#[derive(Clone, Copy)]
enum Place {
    Embed,
    Qkv(usize),
    Proj(usize),
    Fc1(usize),
    Fc2(usize),
    Head,
}

impl Vit {
    fn layers(&self) -> impl Iterator<Item = (Place, Layer<'_>)> {
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

    /// Class token and positions.
    fn tokens_range(&self) -> Range<usize> {
        self.cls_token.start..self.pos_embed.end
    }

    /// A layer's work grows with the rows that a sample has there.
    pub(super) fn cut(&self) -> Vec<(Range<usize>, f64)> {
        let tokens = self.tokens_range();
        let mut stretches = vec![(tokens.clone(), tokens.len() as f64)];
        for (place, layer) in self.layers() {
            let first = stretches.len();
            layer.cut(&mut stretches);
            let rows = match place {
                Place::Embed => self.patches(),
                Place::Head => 1,
                _ => self.tokens(),
            };
            stretches[first..].iter_mut().for_each(|(_, work)| *work *= rows as f64);
        }
        stretches
    }

    pub(super) fn take_gradient<T: Float>(
        &self,
        passes: &[Pass<'_, T, VitTape<T>>],
        scale: T,
        stretch: Range<usize>,
        mut sink: GradientSink<'_, T>,
    ) {
        let local = |range: &Range<usize>| range.start - stretch.start..range.end - stretch.start;
        if stretch.start < self.pos_embed.end {
            let signals: Vec<&[T]> = passes.iter().flat_map(|pass| samples(pass.tape)).collect();
            let mut sums = vec![T::ZERO; self.pos_embed.len()];
            col_sums(&signals, scale, &mut sums);
            sink.part(local(&self.cls_token)).settle(&sums[..self.spec.d]);
            sink.part(local(&self.pos_embed)).settle(&sums);
        }
        for (place, layer) in self.layers() {
            if let Some(part) = layer.within(&stretch) {
                let sides: Vec<_> = passes.iter().flat_map(|pass| self.sides(place, &layer, pass)).collect();
                layer.gradient(&sides, scale, part.clone(), sink.part(local(&part)));
            }
        }
    }

    /// A layer's inputs and signals, sample by sample, of the tokens that it has seen and that a signal has reached. Which
    /// these are is up to each sample alone, hence the order of the sums is as well, whatever pass it runs in.
    fn sides<'a, T: Float>(
        &self,
        place: Place,
        layer: &Layer<'_>,
        pass: &Pass<'a, T, VitTape<T>>,
    ) -> Vec<Sides<'a, T>> {
        let tape = pass.tape;
        let (inputs, outputs) = (layer.linear.inputs(), layer.linear.outputs());
        let whole =
            |x: &'a [T], signal: &'a [T], rows: usize| vec![(&x[..rows * inputs], &signal[..rows * outputs])];
        let (x, signal, l): (&'a [T], &'a [T], usize) = match place {
            Place::Embed => {
                let patches = tape.patches.chunks_exact(self.patches() * inputs);
                return patches.zip(samples(tape)).map(|(x, signal)| (x, &signal[outputs..])).collect();
            }
            Place::Head => return whole(&tape.out_xhat, &tape.error, tape.rows),
            Place::Qkv(l) => {
                let kept = &tape.blocks[l];
                return whole(&kept.xhat[0], &kept.at_qkv, tape.rows * self.tokens());
            }
            Place::Proj(l) => (&tape.blocks[l].mixed, &tape.blocks[l].at_proj, l),
            Place::Fc1(l) => (&tape.blocks[l].xhat[1], &tape.blocks[l].at_fc1, l),
            Place::Fc2(l) => (&tape.blocks[l].act, &tape.signals[l + 1], l),
        };
        let each = x.chunks_exact(self.tokens() * inputs).zip(signal.chunks_exact(self.tokens() * outputs));
        let each = each.zip(&tape.blocks[l].reach[..tape.rows]);
        each.map(|((x, signal), reach)| (&x[..reach * inputs], &signal[..reach * outputs])).collect()
    }
}

/// The signals at h_0, sample by sample.
fn samples<T>(tape: &VitTape<T>) -> impl Iterator<Item = &[T]> {
    tape.signals[0].chunks_exact(tape.width).take(tape.rows)
}
