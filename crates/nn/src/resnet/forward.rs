//! The forward pass.

use super::source::Source;
use super::{Resnet, ResnetTape};
use crate::linear::linear;
use tensor::{Biased, Float, col_sums, norm_relu, norm_residual};

impl Resnet {
    /// The images as the stem reads them.
    pub(super) fn image<'a, T>(&self, x: &'a [T]) -> Source<'a, T> {
        Source::Planes { x, channels: self.spec.channels, plane: self.spec.height * self.spec.width }
    }

    /// h_0 from the inputs.
    pub(super) fn read_in<T: Float>(&self, params: &[T], x: &[T], rows: usize, tape: &mut ResnetTape<T>) {
        tape.rows = rows;
        let n = tape.values(0);
        let stem = &mut tape.stem;
        self.stem.forward(params, self.image(x), rows, tape.training, stem, &mut tape.scratch);
        norm_relu(&stem.z[..n], &stem.scale, &stem.shift, &mut tape.h[0][..n]);
    }

    /// f_l and h_{l+1} from h_l.
    pub(super) fn through_block<T: Float>(&self, params: &[T], l: usize, tape: &mut ResnetTape<T>) {
        let (rows, training, before, after) = (tape.rows, tape.training, tape.values(l), tape.values(l + 1));
        let (places, kept, scratch) = (&self.blocks[l], &mut tape.blocks[l], &mut tape.scratch);
        let (low, high) = tape.h.split_at_mut(l + 1);
        let (h, next) = (&low[l][..before], &mut high[0][..after]);
        places.first.forward(params, Source::State(h), rows, training, &mut kept.first, scratch);
        let act = Source::Active(&kept.first);
        places.second.forward(params, act, rows, training, &mut kept.second, scratch);
        if let (Some(places), Some(kept)) = (&places.short, &mut kept.short) {
            places.forward(params, Source::State(h), rows, training, kept, scratch);
        }
        let short = kept.short.as_ref().map(|short| short.normed(after));
        let h = short.is_none().then_some(h);
        norm_residual(kept.second.normed(after), short, h, &mut kept.f[..after], next);
    }

    /// The logits from h_L.
    pub(super) fn read_out<T: Float>(&self, params: &[T], tape: &mut ResnetTape<T>) {
        let (rows, state) = (tape.rows, self.state_at(self.spec.blocks));
        let top = &tape.h[self.spec.blocks][..rows * state.width()];
        let pooled = &mut tape.pooled[..rows * state.features];
        let share = T::of(1.0 / state.positions as f64);
        for (h, mean) in top.chunks_exact(state.width()).zip(pooled.chunks_exact_mut(state.features)) {
            col_sums(&[h], share, mean);
        }
        let out = &mut tape.logits[..rows * self.spec.classes];
        linear(pooled, params, &self.out_head, Biased { bias: &params[self.out_head.bias.clone()], out });
    }
}
