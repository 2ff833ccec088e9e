//! The tokens of each sample that a signal reaches.

use tensor::{Float, Mat};

/// The leading tokens of each sample that a signal reaches: the class token, or all.
pub(super) struct Reached {
    pub(super) tokens: usize,
    pub(super) reach: usize,
}

impl Reached {
    /// Writes to `each`, per sample of the signal `s`, how many of its tokens have one: 1 (the class token) or all.
    pub(super) fn new<T: Float>(s: &[T], tokens: usize, d: usize, each: &mut [usize]) -> Self {
        for (reach, s) in each.iter_mut().zip(s.chunks_exact(tokens * d)) {
            *reach = if s[d..].iter().all(|&s| s == T::ZERO) { 1 } else { tokens };
        }
        Self { tokens, reach: each.iter().copied().max().unwrap_or(1) }
    }

    /// Distance between their rows of `cols` values: class tokens are a whole sample apart.
    pub(super) fn stride(&self, cols: usize) -> usize {
        if self.reach == 1 { self.tokens * cols } else { cols }
    }

    /// Their rows.
    pub(super) fn rows<'a, T>(&self, values: &'a [T], cols: usize) -> Mat<'a, T> {
        let stride = self.stride(cols);
        Mat::new(values, values.len() / stride, stride).cols(0..cols)
    }
}
