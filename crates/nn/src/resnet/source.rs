//! The input of a convolution, or the signal at its output, computed from the tape while patches are built.

use super::batch_norm::NormTape;
use tensor::{Float, NormSlope, norm_input_grad, norm_relu};

/// Values by sample, position and channel.
#[derive(Clone, Copy)]
pub(super) enum Source<'a, T> {
    /// Images in planes, one per channel; one call reads at most one image.
    Planes { x: &'a [T], channels: usize, plane: usize },
    /// Already in this order.
    State(&'a [T]),
    /// A convolution's output after BatchNorm and ReLU.
    Active(&'a NormTape<T>),
    /// The signal at a convolution's output, from that at its BatchNorm's output.
    Signal { s: &'a [T], norm: &'a NormTape<T>, slope: NormSlope<'a, T> },
}

impl<T: Float> Source<'_, T> {
    /// Writes whole positions, from value `from` on.
    pub(super) fn write(&self, from: usize, out: &mut [T]) {
        let range = from..from + out.len();
        match *self {
            Source::Planes { x, channels, plane } => {
                let sample = from / channels / plane;
                let position = from / channels % plane;
                let count = out.len() / channels;
                assert!(position + count <= plane, "positions of one image");
                for channel in 0..channels {
                    let pixels = &x[(sample * channels + channel) * plane + position..][..count];
                    for (to, &pixel) in out[channel..].iter_mut().step_by(channels).zip(pixels) {
                        *to = pixel;
                    }
                }
            }
            Source::State(h) => out.copy_from_slice(&h[range]),
            Source::Active(norm) => norm_relu(&norm.z[range], &norm.scale, &norm.shift, out),
            Source::Signal { s, norm, slope } => {
                norm_input_grad(&s[range.clone()], &norm.z[range], slope, out)
            }
        }
    }
}
