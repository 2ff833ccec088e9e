//! Signals on their way down through head and blocks.

use super::source::Source;
use super::{Resnet, ResnetTape};
use crate::linear::turned;
use tensor::{Float, matmul, norm_relu_input_grad};

impl Resnet {
    pub(super) fn through_head<T: Float>(&self, params: &[T], tape: &mut ResnetTape<T>, below: &mut [T]) {
        let (rows, state) = (tape.rows, self.state_at(self.spec.blocks));
        let (signal, weight) = turned(params, &self.out_head, &tape.error[..rows * self.spec.classes]);
        let pooled = &mut tape.at_pooled[..rows * state.features];
        // Each position has its share in the mean.
        matmul(pooled, T::of(1.0 / state.positions as f64), signal, weight);
        let samples = below.chunks_exact_mut(state.width()).zip(pooled.chunks_exact(state.features));
        for (below, pooled) in samples {
            below.chunks_exact_mut(state.features).for_each(|position| position.copy_from_slice(pooled));
        }
    }

    pub(super) fn through_branch<T: Float>(
        &self,
        params: &[T],
        block: usize,
        tape: &mut ResnetTape<T>,
        below: Option<&mut [T]>,
    ) {
        let (rows, n) = (tape.rows, tape.values(block + 1));
        let (places, kept, scratch) = (&self.blocks[block], &mut tape.blocks[block], &mut tape.scratch);
        let s = &tape.signals[block + 1][..n];
        if let (Some(places), Some(norm), Some(sum)) = (&places.short, &kept.short, &mut kept.short_signal) {
            sum.take(norm, 0, s, places);
            sum.fix(norm, rows);
        }
        let (norm, sum) = (&kept.second, &mut kept.second_signal);
        sum.take(norm, 0, s, &places.second);
        sum.fix(norm, rows);
        let signal = Source::Signal { s, norm, slope: sum.slope(norm) };
        let (norm, sum, width) = (&kept.first, &mut kept.first_signal, places.first.out_width());
        let inner = &mut kept.inner[..n];
        places.second.down(params, signal, rows, scratch, |first, s| {
            let (start, z) = (first * width, &norm.z[first * width..][..s.len()]);
            let inner = &mut inner[start..start + s.len()];
            norm_relu_input_grad(s, z, &norm.scale, &norm.shift, inner);
            sum.take(norm, first, inner, &places.first);
        });
        sum.fix(norm, rows);
        let Some(below) = below else { return };
        let signal = Source::Signal { s: inner, norm, slope: sum.slope(norm) };
        let (Some(short), Some(norm), Some(sum)) = (&places.short, &kept.short, &kept.short_signal) else {
            return places.first.down(params, signal, rows, scratch, |first, s| {
                below[first * width..][..s.len()].copy_from_slice(s);
            });
        };
        below.fill(T::ZERO);
        places.first.add_down(params, signal, rows, scratch, below);
        let signal = Source::Signal { s, norm, slope: sum.slope(norm) };
        short.add_down(params, signal, rows, scratch, below);
    }
}
