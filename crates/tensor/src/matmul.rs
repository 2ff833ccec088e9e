//! Every matrix product of the program goes through [`matmul`].

use crate::{Finish, Float};
use std::ops::Range;

/// A matrix seen in a row-major slice, as it lies or transposed.
#[derive(Clone, Copy, Debug)]
pub struct Mat<'a, T> {
    pub(crate) data: &'a [T],
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) row_stride: usize,
    pub(crate) col_stride: usize,
}

impl<'a, T> Mat<'a, T> {
    /// A `rows` × `cols` matrix stored row by row.
    ///
    /// # Panics
    /// When the slice has another length.
    pub fn new(data: &'a [T], rows: usize, cols: usize) -> Self {
        assert_eq!(data.len(), rows * cols, "a {rows} x {cols} matrix");
        Self { data, rows, cols, row_stride: cols, col_stride: 1 }
    }

    /// Some of the columns.
    ///
    /// # Panics
    /// When there are not as many.
    pub fn cols(self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.cols, "columns of a matrix");
        // A matrix without rows has nothing to skip.
        let skipped = (range.start * self.col_stride).min(self.data.len());
        Self { data: &self.data[skipped..], cols: range.len(), ..self }
    }

    /// The transpose, without moving anything.
    pub fn t(self) -> Self {
        Self {
            rows: self.cols,
            cols: self.rows,
            row_stride: self.col_stride,
            col_stride: self.row_stride,
            ..self
        }
    }
}

/// Columns of a panel.
pub const PANEL: usize = 16;

/// A matrix that lies in panels of [`PANEL`] columns, each row by row, one after the other; the last panel is as narrow as
/// what is left. A product reads a right operand in this order, so a weight that lies in it needs no packing.
#[derive(Clone, Copy, Debug)]
pub struct Panels<'a, T> {
    pub(crate) data: &'a [T],
    pub(crate) rows: usize,
    pub(crate) cols: usize,
}

impl<'a, T> Panels<'a, T> {
    /// A `rows` × `cols` matrix in panels.
    ///
    /// # Panics
    /// When the slice has another length.
    pub fn new(data: &'a [T], rows: usize, cols: usize) -> Self {
        assert_eq!(data.len(), rows * cols, "a {rows} x {cols} matrix in panels");
        Self { data, rows, cols }
    }

    /// Where the value of a row and column lies.
    #[inline(always)]
    pub(crate) fn place(&self, row: usize, col: usize) -> usize {
        in_panels(self.rows, self.cols, row, col)
    }

    /// Some rows from a panel's first column on, and how far the panels are apart.
    #[inline(always)]
    pub(crate) fn part(&self, col: usize, rows: &Range<usize>) -> (&'a [T], usize) {
        (&self.data[self.place(rows.start, col).min(self.data.len())..], self.rows * PANEL)
    }
}

/// Where the value of a row and column lies in a matrix of that size in panels.
///
/// ```
/// // Of 2 x 17: row 0 of the first panel, row 1 of it, then the one column of the second panel.
/// assert_eq!([tensor::in_panels(2, 17, 0, 3), tensor::in_panels(2, 17, 1, 3), tensor::in_panels(2, 17, 1, 16)], [3, 19, 33]);
/// ```
#[inline(always)]
pub fn in_panels(rows: usize, cols: usize, row: usize, col: usize) -> usize {
    let first = col / PANEL * PANEL;
    first * rows + row * PANEL.min(cols - first) + (col - first)
}

/// A right operand.
#[derive(Clone, Copy, Debug)]
pub enum Right<'a, T> {
    /// In rows, or transposed.
    Mat(Mat<'a, T>),
    /// In panels.
    Panels(Panels<'a, T>),
    /// The transpose of what lies in panels.
    Turned(Panels<'a, T>),
}

impl<T> Right<'_, T> {
    /// Rows.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Mat(mat) => mat.rows,
            Self::Panels(panels) => panels.rows,
            Self::Turned(panels) => panels.cols,
        }
    }

    /// Columns.
    pub(crate) fn cols(&self) -> usize {
        match self {
            Self::Mat(mat) => mat.cols,
            Self::Panels(panels) => panels.cols,
            Self::Turned(panels) => panels.rows,
        }
    }
}

impl<'a, T> From<Mat<'a, T>> for Right<'a, T> {
    fn from(mat: Mat<'a, T>) -> Self {
        Self::Mat(mat)
    }
}

/// The sum of the products `a[i] · b[i]`, handed over piece by piece, on this thread.
///
/// # Panics
/// When the shapes do not fit.
#[inline(always)]
pub fn product<T: Float>(a: &[Mat<'_, T>], b: &[Right<'_, T>], finish: &mut impl Finish<T>) {
    assert!(!a.is_empty() && a.len() == b.len(), "as many left as right operands");
    let (rows, cols) = (a[0].rows, b[0].cols());
    let fits =
        |(a, b): (&Mat<'_, T>, &Right<'_, T>)| a.cols == b.rows() && a.rows == rows && b.cols() == cols;
    assert!(a.iter().zip(b).all(fits), "shapes of a product");
    T::product(a, b, finish);
}

/// `out = scale · a · b`, row-major, single-threaded.
///
/// One call is one thread: parallel work splits the batch instead, in chunks that the recipe fixes, because a
/// product split by the number of threads would add in another order and give other bytes.
///
/// ```
/// use tensor::{matmul, Mat};
/// let (a, b) = ([1.0f32, 2.0, 3.0, 4.0], [1.0, 0.0, 0.0, 2.0]);
/// let mut c = [0.0; 4];
/// matmul(&mut c, 0.5, Mat::new(&a, 2, 2), Mat::new(&b, 2, 2).t());
/// assert_eq!(c, [0.5, 2.0, 1.5, 4.0]);
/// ```
///
/// # Panics
/// When the shapes do not fit.
pub fn matmul<'a, T: Float>(out: &mut [T], scale: T, a: Mat<'_, T>, b: impl Into<Right<'a, T>>) {
    let b = b.into();
    assert_eq!(a.cols, b.rows(), "inner sizes of a product");
    assert_eq!(out.len(), a.rows * b.cols(), "size of a product");
    T::matmul(out, scale, a, b);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Stream};
    use proptest::prelude::*;

    fn plain(a: &[f64], b: &[f64], m: usize, n: usize, k: usize) -> Vec<f64> {
        let at = |i: usize, j: usize| (0..k).map(|p| a[i * k + p] * b[p * n + j]).sum();
        (0..m * n).map(|ij| at(ij / n, ij % n)).collect()
    }

    fn transposed(a: &[f64], rows: usize, cols: usize) -> Vec<f64> {
        (0..rows * cols).map(|i| a[(i % rows) * cols + i / rows]).collect()
    }

    fn panels(a: &[f64], rows: usize, cols: usize) -> Vec<f64> {
        let mut out = vec![f64::NAN; rows * cols];
        for (i, &x) in a.iter().enumerate() {
            out[in_panels(rows, cols, i / cols, i % cols)] = x;
        }
        out
    }

    /// Every kind of operand, in both precisions, against the definition.
    fn check(m: usize, n: usize, k: usize, seed: u64) -> Result<(), TestCaseError> {
        let mut stream = Stream::new(seed, Purpose::Init);
        let mut draw = |len: usize| (0..len).map(|_| stream.normal()).collect::<Vec<f64>>();
        let (a, b) = (draw(m * k), draw(k * n));
        let (at, bt) = (transposed(&a, m, k), transposed(&b, k, n));
        let (bp, btp) = (panels(&b, k, n), panels(&bt, n, k));
        let expected = plain(&a, &b, m, n, k);
        let rights = [
            Right::Mat(Mat::new(&b, k, n)),
            Right::Mat(Mat::new(&bt, n, k).t()),
            Right::Panels(Panels::new(&bp, k, n)),
            Right::Turned(Panels::new(&btp, n, k)),
        ];
        let lefts = [Mat::new(&a, m, k), Mat::new(&at, k, m).t()];
        let mut first = None;
        for left in lefts {
            for right in rights {
                let mut out = vec![f64::NAN; m * n];
                matmul(&mut out, 2.0, left, right);
                for (got, want) in out.iter().zip(&expected) {
                    prop_assert!((got - 2.0 * want).abs() < 1e-12 * (1.0 + k as f64), "{right:?}");
                }
                prop_assert_eq!(
                    first.get_or_insert_with(|| out.clone()),
                    &out,
                    "to the byte, however it lies"
                );
            }
        }
        let single = |x: &[f64]| x.iter().map(|&x| x as f32).collect::<Vec<f32>>();
        let (a, bp, btp) = (single(&a), single(&bp), single(&btp));
        for right in [Right::Panels(Panels::new(&bp, k, n)), Right::Turned(Panels::new(&btp, n, k))] {
            let mut out = vec![f32::NAN; m * n];
            matmul(&mut out, 1.0, Mat::new(&a, m, k), right);
            for (got, want) in out.iter().zip(&expected) {
                prop_assert!((f64::from(*got) - want).abs() < 1e-5 * (1.0 + k as f64));
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn agrees_with_the_definition(m in 1usize..40, n in 1usize..40, k in 0usize..70, seed: u64) {
            check(m, n, k, seed)?;
        }

        /// A product in parts of any length, and of some rows and columns, has the bytes of the whole.
        #[test]
        fn parts_leave_no_trace(m in 1usize..30, n in 1usize..40, k in 1usize..600, cut in 0usize..600, seed: u64) {
            let mut stream = Stream::new(seed, Purpose::Init);
            let mut draw = |len: usize| (0..len).map(|_| stream.normal() as f32).collect::<Vec<f32>>();
            let (at, b, cut) = (draw(k * m), draw(k * n), cut % k);
            let mut whole = vec![f32::NAN; m * n];
            matmul(&mut whole, 1.0, Mat::new(&at, k, m).t(), Mat::new(&b, k, n));
            let (x, y) = (at.split_at(cut * m), b.split_at(cut * n));
            let (first, last) = ((seed % n as u64) as usize, n);
            let right = |b, rows| Right::Mat(Mat::new(b, rows, n).cols(first..last));
            let mut parts = Collected { cols: last - first, out: vec![f32::NAN; m * (last - first)] };
            product(
                &[Mat::new(x.0, cut, m).t(), Mat::new(x.1, k - cut, m).t()],
                &[right(y.0, cut), right(y.1, k - cut)],
                &mut parts,
            );
            for (i, part) in parts.out.chunks_exact(last - first).enumerate() {
                prop_assert_eq!(part, &whole[i * n + first..(i + 1) * n]);
            }
        }
    }

    /// Larger than every block of the kernel, in each direction and in all.
    #[test]
    fn blocks_fit_together() {
        for (m, n, k) in [(300, 20, 10), (7, 600, 40), (20, 18, 700), (140, 530, 300), (129, 257, 513)] {
            check(m, n, k, 7).expect("as defined");
        }
    }

    /// Takes blocks where the other tests take rows.
    struct Collected {
        cols: usize,
        out: Vec<f32>,
    }

    impl Finish<f32> for Collected {
        const IN_BLOCKS: bool = true;

        fn block(&mut self, rows: Range<usize>, cols: Range<usize>, values: &mut [f32]) {
            for (i, row) in rows.clone().enumerate() {
                for (j, col) in cols.clone().enumerate() {
                    self.out[row * self.cols + col] = values[in_panels(rows.len(), cols.len(), i, j)];
                }
            }
        }
    }
}
