//! Gaussian noise in bulk. A step needs a million draws. Instead, each copy of a state uses a slice of one table of draws,
//! starting at a random offset. That costs a tenth.

use tensor::Float;
use tensor::random::{Purpose, Stream};

/// Number of draws in the table beyond the length of a state.
const TABLE: usize = 1 << 14;

pub(super) struct Noise<T> {
    table: Vec<T>,
    stream: Stream,
}

impl<T: Float> Noise<T> {
    /// The noise of step `t`, for states of at most `width` values.
    pub(super) fn new(seed: u64, t: u64, width: usize, std: f64) -> Self {
        let mut stream = Stream::at(seed, Purpose::Noise, t, 0);
        let table = (0..TABLE + width).map(|_| T::of(std * stream.normal())).collect();
        Self { table, stream }
    }

    /// Appends a noisy copy of each state to `into`; the noise is in units of the state's root mean square.
    pub(super) fn copy(&mut self, states: &[T], width: usize, into: &mut Vec<T>) {
        for h in states.chunks_exact(width) {
            let squares: f64 = h.iter().map(|x| x.to_f64().powi(2)).sum();
            let size = T::of((squares / width as f64).sqrt());
            let start = self.stream.below(TABLE as u64) as usize;
            into.extend(h.iter().zip(&self.table[start..]).map(|(&h, &noise)| noise.mul_add(size, h)));
        }
    }
}
