//! Patches: the input of a convolution at each position of its output, one row per position, pixel by pixel (rows, then
//! columns), channels innermost.

use super::source::Source;
use std::ops::Range;
use tensor::{Float, add_scaled};

/// The geometry of a square convolution over a square input. Padding centres the odd kernel on its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ConvWindow {
    /// Positions of the input in each direction.
    pub(super) side: usize,
    pub(super) channels: usize,
    /// 3 or 1.
    pub(super) kernel: usize,
    /// 1 or 2.
    pub(super) stride: usize,
}

impl ConvWindow {
    fn out_side(&self) -> usize {
        self.side / self.stride
    }

    /// Positions of the output, per sample.
    pub(super) fn positions(&self) -> usize {
        self.out_side() * self.out_side()
    }

    /// Values per patch.
    pub(super) fn inputs(&self) -> usize {
        self.kernel * self.kernel * self.channels
    }

    /// Values of the input, per sample.
    pub(super) fn width(&self) -> usize {
        self.side * self.side * self.channels
    }

    fn pad(&self) -> usize {
        self.kernel / 2
    }

    /// Values of a row of the input with its border of zeros.
    fn bordered_row(&self) -> usize {
        (self.side + 2 * self.pad()) * self.channels
    }

    /// Builds the patches of some samples. `bordered` is a buffer for one sample with its border.
    pub(super) fn gather<T: Float>(
        &self,
        source: &Source<'_, T>,
        samples: Range<usize>,
        bordered: &mut Vec<T>,
        patches: &mut [T],
    ) {
        let row = self.bordered_row();
        let run = self.kernel * self.channels;
        let step = self.stride * self.channels;
        bordered.resize(row * (self.side + 2 * self.pad()), T::ZERO);
        for (sample, patches) in samples.zip(patches.chunks_exact_mut(self.inputs() * self.positions())) {
            self.border(source, sample, bordered);
            for (y, patches) in patches.chunks_exact_mut(self.inputs() * self.out_side()).enumerate() {
                for (x, patch) in patches.chunks_exact_mut(self.inputs()).enumerate() {
                    for (ky, to) in patch.chunks_exact_mut(run).enumerate() {
                        copy(to, &bordered[(y * self.stride + ky) * row + x * step..][..run]);
                    }
                }
            }
        }
    }

    /// Writes one sample with zeros around it.
    fn border<T: Float>(&self, source: &Source<'_, T>, sample: usize, bordered: &mut [T]) {
        let row = self.bordered_row();
        let beside = self.pad() * self.channels;
        let (above, rest) = bordered.split_at_mut(self.pad() * row);
        let (inside, below) = rest.split_at_mut(self.side * row);
        above.fill(T::ZERO);
        below.fill(T::ZERO);
        let wide = self.side * self.channels;
        for (y, row) in inside.chunks_exact_mut(row).enumerate() {
            row[..beside].fill(T::ZERO);
            row[beside + wide..].fill(T::ZERO);
            source.write(sample * self.width() + y * wide, &mut row[beside..beside + wide]);
        }
    }

    /// The reverse: adds the signal at the patches of some samples to the signal at their input, patch by patch.
    pub(super) fn scatter<T: Float>(&self, patches: &[T], below: &mut [T]) {
        let Self { side, channels, .. } = *self;
        let out_side = self.out_side();
        let samples = patches.chunks_exact(self.inputs() * self.positions());
        for (patches, below) in samples.zip(below.chunks_exact_mut(self.width())) {
            for (position, patch) in patches.chunks_exact(self.inputs()).enumerate() {
                let y = position / out_side * self.stride;
                let x = position % out_side * self.stride;
                let inside = |at: usize, k: usize| (at + k).checked_sub(self.pad()).filter(|&at| at < side);
                // The border's signal is dropped: nothing is below it.
                let first = (0..self.kernel).find(|&k| inside(x, k).is_some()).unwrap_or(0);
                let count = (0..self.kernel).filter(|&k| inside(x, k).is_some()).count();
                for (ky, line) in patch.chunks_exact(self.kernel * channels).enumerate() {
                    let Some(row) = inside(y, ky) else { continue };
                    let start = (row * side + x + first - self.pad()) * channels;
                    let to = &mut below[start..start + count * channels];
                    add_scaled(to, T::ONE, &line[first * channels..][..to.len()]);
                }
            }
        }
    }
}

/// Copies a few values in pieces of fixed size, which need no call to `memcpy`.
#[inline(always)]
fn copy<T: Float>(to: &mut [T], from: &[T]) {
    const PIECE: usize = 16;
    let (to, to_rest) = to.as_chunks_mut::<PIECE>();
    let (from, from_rest) = from.as_chunks::<PIECE>();
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
    for (to, from) in to_rest.iter_mut().zip(from_rest) {
        *to = *from;
    }
}
