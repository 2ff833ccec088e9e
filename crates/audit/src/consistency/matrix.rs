//! Row-major matrices and the norms of differences, by plain loops.

use super::arithmetic::Arithmetic;

/// Samples that use a row of the matrix while it is in the cache.
const TOGETHER: usize = 8;

/// A matrix that acts on each sample's vector.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) values: Vec<f64>,
}

impl Matrix {
    /// M·x of each sample.
    pub(super) fn apply(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; x.len() / self.cols * self.rows];
        let groups = x.chunks(TOGETHER * self.cols).zip(out.chunks_mut(TOGETHER * self.rows));
        for (x, out) in groups {
            for (i, row) in self.values.chunks_exact(self.cols).enumerate() {
                for (x, out) in x.chunks_exact(self.cols).zip(out.chunks_exact_mut(self.rows)) {
                    out[i] = dot(row, x);
                }
            }
        }
        out
    }

    /// Mᵀ·s of each sample.
    pub(super) fn apply_transposed(&self, s: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; s.len() / self.rows * self.cols];
        let groups = s.chunks(TOGETHER * self.rows).zip(out.chunks_mut(TOGETHER * self.cols));
        for (s, out) in groups {
            for (i, row) in self.values.chunks_exact(self.cols).enumerate() {
                for (s, out) in s.chunks_exact(self.rows).zip(out.chunks_exact_mut(self.cols)) {
                    out.iter_mut().zip(row).for_each(|(out, m)| *out += s[i] * m);
                }
            }
        }
        out
    }

    /// Mᵀ itself.
    pub(super) fn transposed(&self) -> Self {
        let value = |i: usize| self.values[i % self.rows * self.cols + i / self.rows];
        Self { rows: self.cols, cols: self.rows, values: (0..self.values.len()).map(value).collect() }
    }

    /// Rounds the values as a product would: the rounding of a sum is applied to its factors, once per term.
    pub(super) fn round(&mut self, arithmetic: &mut Arithmetic) {
        arithmetic.store_all(&mut self.values, self.cols);
    }
}

/// Four interleaved sums, since a single one would wait for each addition.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let a = a.chunks_exact(4);
    let b = b.chunks_exact(4);
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        for i in 0..4 {
            sums[i] += a[i] * b[i];
        }
    }
    rest + sums.iter().sum::<f64>()
}

/// Frobenius norm; NaN or infinite if a value is.
pub(super) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Frobenius norm of a − b.
pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_by_hand() {
        let m = Matrix { rows: 2, cols: 3, values: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0] };
        assert_eq!(m.apply(&[1.0, 0.0, -1.0, 0.0, 1.0, 0.0]), [-2.0, -2.0, 2.0, 5.0]);
        assert_eq!(m.apply_transposed(&[1.0, -1.0, 0.0, 2.0]), [-3.0, -3.0, -3.0, 8.0, 10.0, 12.0]);
        assert_eq!(m.transposed().values, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        assert_eq!(m.transposed().apply(&[1.0, -1.0]), m.apply_transposed(&[1.0, -1.0]));
        let long: Vec<f64> = (1..=9).map(f64::from).collect();
        assert_eq!(norm(&long), 285f64.sqrt());
        assert_eq!(distance(&[1.0, 2.0], &[4.0, -2.0]), 5.0);
    }
}
