//! Statistics of a batch: mean and spread of each column.

use crate::epilogue::piece;
use crate::simd::vectorised;
use crate::{Float, PANEL};

/// Mean, and sum of the squared distances from it, of each column of all rows seen so far.
#[derive(Clone, Debug)]
pub struct Moments<T> {
    /// Rows seen.
    pub rows: usize,
    /// One per column.
    pub mean: Vec<T>,
    /// One per column.
    pub squares: Vec<T>,
    part: [Vec<T>; 2],
}

impl<T: Float> Moments<T> {
    /// Nothing seen yet.
    pub fn new(cols: usize) -> Self {
        let zeros = || vec![T::ZERO; cols];
        Self { rows: 0, mean: zeros(), squares: zeros(), part: [zeros(), zeros()] }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.rows = 0;
    }

    /// Takes more rows in. Within them the mean comes first and the distances from it after, so that a mean far from 0 costs
    /// no digits; then both are merged with what was there (Chan, Golub and LeVeque, 1979).
    pub fn add(&mut self, z: &[T]) {
        let cols = self.mean.len();
        let (before, more) = (self.rows, z.len() / cols);
        if more == 0 {
            return;
        }
        let [mean, squares] = &mut self.part;
        moments(z, T::of(1.0 / more as f64), mean, squares);
        self.rows += more;
        let share = T::of(more as f64 / self.rows as f64);
        let weight = T::of(before as f64 * more as f64 / self.rows as f64);
        for i in 0..cols {
            if before == 0 {
                (self.mean[i], self.squares[i]) = (mean[i], squares[i]);
            } else {
                let apart = mean[i] - self.mean[i];
                self.mean[i] += apart * share;
                self.squares[i] += squares[i] + apart * apart * weight;
            }
        }
    }
}

vectorised! {
    fn moments<T: Float>(z: &[T], inverse: T, mean: &mut [T], squares: &mut [T]) {
        by_panels!(mean.len(), moments_of(z, inverse, mean, squares));
    }
}

#[inline(always)]
fn moments_of<T: Float, const N: usize>(z: &[T], inverse: T, mean: &mut [T], squares: &mut [T], col: usize) {
    let cols = mean.len();
    let mut middle = [T::ZERO; N];
    for row in z.chunks_exact(cols) {
        let row: [T; N] = piece(row, col);
        for i in 0..N {
            middle[i] += row[i];
        }
    }
    for value in &mut middle {
        *value *= inverse;
    }
    let mut sum = [T::ZERO; N];
    for row in z.chunks_exact(cols) {
        let row: [T; N] = piece(row, col);
        for i in 0..N {
            let apart = row[i] - middle[i];
            sum[i] = apart.mul_add(apart, sum[i]);
        }
    }
    mean[col..col + N].copy_from_slice(&middle);
    squares[col..col + N].copy_from_slice(&sum);
}
