//! Loops over rows of channels, as BatchNorm and the ReLU behind it need them, forward and backward.
//!
//! A row is a position, a column a channel; every coefficient is one a channel. The statistics themselves are few numbers
//! and belong to whoever calls. Columns are worked on a panel at a time: their coefficients and sums then stay in
//! registers while the rows pass by. A sum adds its rows in the order of memory, whatever the machine's vectors hold.

use crate::kernel::piece;
use crate::simd::vectorised;
use crate::{Float, PANEL};

/// Calls a loop for each panel of columns, and column by column for what is left.
macro_rules! by_panels {
    ($cols:expr, $name:ident($($arg:expr),*)) => {
        let cols = $cols;
        for col in (0..cols - cols % PANEL).step_by(PANEL) {
            $name::<T, PANEL>($($arg,)* col);
        }
        for col in cols - cols % PANEL..cols {
            $name::<T, 1>($($arg,)* col);
        }
    };
}

/// Mean, and sum of the squared distances from it, of each column of all rows seen so far.
#[derive(Clone, Debug)]
pub struct Moments<T> {
    /// Rows seen.
    pub rows: usize,
    /// One a column.
    pub mean: Vec<T>,
    /// One a column.
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

vectorised! {
    /// `out = max(0, scale ∘ z + shift)`: a BatchNorm whose statistics are known, and the ReLU behind it.
    pub fn norm_relu<T: Float>(z: &[T], scale: &[T], shift: &[T], out: &mut [T]) {
        by_panels!(scale.len(), norm_relu_of(z, scale, shift, out));
    }
}

#[inline(always)]
fn norm_relu_of<T: Float, const N: usize>(z: &[T], scale: &[T], shift: &[T], out: &mut [T], col: usize) {
    let cols = scale.len();
    let (scale, shift): ([T; N], [T; N]) = (piece(scale, col), piece(shift, col));
    for (z, out) in z.chunks_exact(cols).zip(out.chunks_exact_mut(cols)) {
        let mut y: [T; N] = piece(z, col);
        for i in 0..N {
            y[i] = y[i].mul_add(scale[i], shift[i]);
            // Not the larger of the two, which would make 0 of NaN.
            y[i] = if y[i] < T::ZERO { T::ZERO } else { y[i] };
        }
        out[col..col + N].copy_from_slice(&y);
    }
}

vectorised! {
    /// `below = above` where that ReLU let its input pass, else 0.
    pub fn norm_relu_input_grad<T: Float>(above: &[T], z: &[T], scale: &[T], shift: &[T], below: &mut [T]) {
        by_panels!(scale.len(), norm_relu_input_grad_of(above, z, scale, shift, below));
    }
}

#[inline(always)]
fn norm_relu_input_grad_of<T: Float, const N: usize>(
    above: &[T],
    z: &[T],
    scale: &[T],
    shift: &[T],
    below: &mut [T],
    col: usize,
) {
    let cols = scale.len();
    let (scale, shift): ([T; N], [T; N]) = (piece(scale, col), piece(shift, col));
    let rows = above.chunks_exact(cols).zip(z.chunks_exact(cols)).zip(below.chunks_exact_mut(cols));
    for ((above, z), below) in rows {
        let (mut s, z): ([T; N], [T; N]) = (piece(above, col), piece(z, col));
        for i in 0..N {
            s[i] = if z[i].mul_add(scale[i], shift[i]) > T::ZERO { s[i] } else { T::ZERO };
        }
        below[col..col + N].copy_from_slice(&s);
    }
}

/// A BatchNorm whose statistics are known: what it reads, and its factor and summand, one a column.
#[derive(Clone, Copy, Debug)]
pub struct Normed<'a, T> {
    /// Rows before it.
    pub z: &'a [T],
    /// Factor.
    pub scale: &'a [T],
    /// Summand.
    pub shift: &'a [T],
}

vectorised! {
    /// Writes a branch that ends in a BatchNorm, to which that of a shortcut may be added, and h + f beside it, or f alone
    /// where there is no skip connection.
    pub fn norm_residual<T: Float>(
        branch: Normed<'_, T>,
        short: Option<Normed<'_, T>>,
        h: Option<&[T]>,
        f: &mut [T],
        next: &mut [T],
    ) {
        by_panels!(branch.scale.len(), norm_residual_of(branch, short, h, f, next));
    }
}

#[inline(always)]
fn norm_residual_of<T: Float, const N: usize>(
    branch: Normed<'_, T>,
    short: Option<Normed<'_, T>>,
    h: Option<&[T]>,
    f: &mut [T],
    next: &mut [T],
    col: usize,
) {
    let cols = branch.scale.len();
    let (scale, shift): ([T; N], [T; N]) = (piece(branch.scale, col), piece(branch.shift, col));
    let zero = ([T::ZERO; N], [T::ZERO; N]);
    let (short_scale, short_shift) = short.map_or(zero, |s| (piece(s.scale, col), piece(s.shift, col)));
    for start in (col..branch.z.len()).step_by(cols) {
        let mut value: [T; N] = piece(branch.z, start);
        for i in 0..N {
            value[i] = value[i].mul_add(scale[i], shift[i]);
        }
        if let Some(short) = short {
            let z: [T; N] = piece(short.z, start);
            for i in 0..N {
                value[i] += z[i].mul_add(short_scale[i], short_shift[i]);
            }
        }
        let mut sum = value;
        if let Some(h) = h {
            let h: [T; N] = piece(h, start);
            for i in 0..N {
                sum[i] += h[i];
            }
        }
        f[start..start + N].copy_from_slice(&value);
        next[start..start + N].copy_from_slice(&sum);
    }
}

vectorised! {
    /// Σ s and Σ s ∘ (z − mean) of each column, over all rows.
    pub fn norm_sums<T: Float>(s: &[T], z: &[T], mean: &[T], sum: &mut [T], slope: &mut [T]) {
        by_panels!(mean.len(), norm_sums_of(s, z, mean, sum, slope));
    }
}

#[inline(always)]
fn norm_sums_of<T: Float, const N: usize>(
    s: &[T],
    z: &[T],
    mean: &[T],
    sum: &mut [T],
    slope: &mut [T],
    col: usize,
) {
    let cols = mean.len();
    let mean: [T; N] = piece(mean, col);
    let (mut total, mut along) = ([T::ZERO; N], [T::ZERO; N]);
    for (s, z) in s.chunks_exact(cols).zip(z.chunks_exact(cols)) {
        let (s, z): ([T; N], [T; N]) = (piece(s, col), piece(z, col));
        for i in 0..N {
            total[i] += s[i];
            along[i] = s[i].mul_add(z[i] - mean[i], along[i]);
        }
    }
    sum[col..col + N].copy_from_slice(&total);
    slope[col..col + N].copy_from_slice(&along);
}

/// From a signal s behind a BatchNorm to the one before it: `own ∘ s + spread ∘ (z − mean) + level`. The last two are how a
/// value acts through the batch's statistics, and 0 where those are fixed.
#[derive(Clone, Copy, Debug)]
pub struct NormSlope<'a, T> {
    /// Mean of z.
    pub mean: &'a [T],
    /// Of the signal at its own place.
    pub own: &'a [T],
    /// Through the variance.
    pub spread: &'a [T],
    /// Through the mean.
    pub level: &'a [T],
}

vectorised! {
    /// The signal before a BatchNorm.
    pub fn norm_input_grad<T: Float>(s: &[T], z: &[T], slope: NormSlope<'_, T>, out: &mut [T]) {
        by_panels!(slope.own.len(), norm_input_grad_of(s, z, slope, out));
    }
}

#[inline(always)]
fn norm_input_grad_of<T: Float, const N: usize>(
    s: &[T],
    z: &[T],
    slope: NormSlope<'_, T>,
    out: &mut [T],
    col: usize,
) {
    let cols = slope.own.len();
    let (mean, own): ([T; N], [T; N]) = (piece(slope.mean, col), piece(slope.own, col));
    let (spread, level): ([T; N], [T; N]) = (piece(slope.spread, col), piece(slope.level, col));
    let rows = s.chunks_exact(cols).zip(z.chunks_exact(cols)).zip(out.chunks_exact_mut(cols));
    for ((s, z), out) in rows {
        let (s, mut z): ([T; N], [T; N]) = (piece(s, col), piece(z, col));
        for i in 0..N {
            z[i] = own[i].mul_add(s[i], spread[i].mul_add(z[i] - mean[i], level[i]));
        }
        out[col..col + N].copy_from_slice(&z);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Stream};
    use proptest::prelude::*;

    fn near(got: f64, want: f64) -> bool {
        (got - want).abs() <= 1e-12 * (1.0 + want.abs())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        /// Every loop against its definition, value by value, on widths around that of a panel.
        #[test]
        fn as_defined(cols in 1usize..40, rows in 1usize..9, seed: u64) {
            let mut stream = Stream::new(seed, Purpose::Init);
            let mut draw = |n: usize| (0..n).map(|_| stream.normal()).collect::<Vec<f64>>();
            let n = rows * cols;
            let (z, s, h, other) = (draw(n), draw(n), draw(n), draw(n));
            let [scale, shift, mean, spread, level] = [(); 5].map(|()| draw(cols));

            let mut out = vec![f64::NAN; n];
            norm_relu(&z, &scale, &shift, &mut out);
            let y = |i: usize| z[i] * scale[i % cols] + shift[i % cols];
            prop_assert!((0..n).all(|i| near(out[i], y(i).max(0.0))));
            norm_relu_input_grad(&s, &z, &scale, &shift, &mut out);
            let passed = |i: usize| if y(i) > 0.0 { s[i] } else { 0.0 };
            prop_assert!((0..n).all(|i| out[i] == passed(i)));

            let branch = Normed { z: &z, scale: &scale, shift: &shift };
            let short = Normed { z: &other, scale: &level, shift: &mean };
            let (mut f, mut next) = (vec![f64::NAN; n], vec![f64::NAN; n]);
            norm_residual(branch, None, Some(&h), &mut f, &mut next);
            prop_assert!((0..n).all(|i| near(f[i], y(i)) && near(next[i], y(i) + h[i])));
            norm_residual(branch, Some(short), None, &mut f, &mut next);
            let both = |i: usize| y(i) + other[i] * level[i % cols] + mean[i % cols];
            prop_assert!((0..n).all(|i| near(f[i], both(i)) && near(next[i], both(i))));

            let (mut sum, mut slope) = (vec![f64::NAN; cols], vec![f64::NAN; cols]);
            norm_sums(&s, &z, &mean, &mut sum, &mut slope);
            for c in 0..cols {
                let of = |term: &dyn Fn(usize) -> f64| (0..rows).map(|r| term(r * cols + c)).sum::<f64>();
                prop_assert!(near(sum[c], of(&|i| s[i])));
                prop_assert!(near(slope[c], of(&|i| s[i] * (z[i] - mean[c]))));
            }

            norm_input_grad(&s, &z, NormSlope { mean: &mean, own: &scale, spread: &spread, level: &level }, &mut out);
            let want = |i: usize| {
                let c = i % cols;
                scale[c] * s[i] + spread[c] * (z[i] - mean[c]) + level[c]
            };
            prop_assert!((0..n).all(|i| near(out[i], want(i))));
        }

        /// Mean and squared distances of all rows, however they come in.
        #[test]
        fn moments_of_parts_are_those_of_the_whole(cols in 1usize..20, rows in 1usize..30, part in 1usize..9, seed: u64) {
            let mut stream = Stream::new(seed, Purpose::Init);
            let z: Vec<f64> = (0..rows * cols).map(|_| 3.0 + stream.normal()).collect();
            let mut moments = Moments::new(cols);
            moments.add(&vec![9.0; cols]);
            moments.clear();
            z.chunks(part * cols).for_each(|z| moments.add(z));
            prop_assert_eq!(moments.rows, rows);
            for c in 0..cols {
                let of = |term: &dyn Fn(f64) -> f64| (0..rows).map(|r| term(z[r * cols + c])).sum::<f64>();
                let mean = of(&|x| x) / rows as f64;
                prop_assert!(near(moments.mean[c], mean));
                prop_assert!(near(moments.squares[c], of(&|x| (x - mean) * (x - mean))));
            }
        }
    }

    /// A number that is none goes on as such, so that a run which is lost shows it.
    #[test]
    fn nan_passes_the_relu() {
        let mut out = [0.0; 3];
        norm_relu(&[f64::NAN, -1.0, 2.0], &[1.0; 3], &[0.0; 3], &mut out);
        assert!(out[0].is_nan() && out[1..] == [0.0, 2.0], "{out:?}");
    }

    /// A mean that is large beside the spread must not swallow it.
    #[test]
    fn f32_variance_survives_a_large_mean() {
        let z: Vec<f32> = (0..4096).map(|i| 1000.0 + if i % 2 == 0 { 0.5 } else { -0.5 }).collect();
        let mut moments = Moments::new(1);
        z.chunks(256).for_each(|z| moments.add(z));
        assert!((moments.squares[0] / 4096.0 - 0.25).abs() < 1e-4);
    }
}
