//! Statistics of a batch: mean and spread of each column.

use crate::epilogue::piece;
use crate::simd::vectorised;
use crate::{Float, PANEL};

/// Mean of each column over all rows so far, and the sum of squared distances from it.
#[derive(Clone, Debug)]
pub struct Moments<T> {
    /// Rows so far.
    pub rows: usize,
    /// One per column.
    pub mean: Vec<T>,
    /// One per column.
    pub squares: Vec<T>,
    added: [Vec<T>; 2],
}

impl<T: Float> Moments<T> {
    /// Without rows.
    pub fn new(cols: usize) -> Self {
        let zeros = || vec![T::ZERO; cols];
        Self { rows: 0, mean: zeros(), squares: zeros(), added: [zeros(), zeros()] }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.rows = 0;
    }

    /// Adds rows. Their own mean comes first and the distances from it second, so that a mean far from 0 costs no digits;
    /// both are then merged with the earlier rows' (Chan, Golub and LeVeque, 1979).
    pub fn add(&mut self, z: &[T]) {
        let cols = self.mean.len();
        let before = self.rows;
        let more = z.len() / cols;
        if more == 0 {
            return;
        }
        let [mean, squares] = &mut self.added;
        moments(z, T::of(1.0 / more as f64), mean, squares);
        self.rows += more;
        let share = T::of(more as f64 / self.rows as f64);
        let weight = T::of(before as f64 * more as f64 / self.rows as f64);
        for i in 0..cols {
            if before == 0 {
                self.mean[i] = mean[i];
                self.squares[i] = squares[i];
            } else {
                let apart = mean[i] - self.mean[i];
                self.mean[i] += apart * share;
                self.squares[i] += squares[i] + apart * apart * weight;
            }
        }
    }
}

by_panels! {
    fn moments<T, N>(z: &[T], inverse: T, mean: &mut [T], squares: &mut [T]), col in 0..mean.len(), {
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
}
