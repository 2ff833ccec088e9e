//! Operands, and two functions for products: [`matmul`], and [`product`], which passes its values to an epilogue.

use crate::{Epilogue, Float};
use std::ops::Range;

/// A view of a row-major slice as a matrix, or as its transpose.
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
        assert_eq!(Some(data.len()), rows.checked_mul(cols), "a {rows} x {cols} matrix");
        Self { data, rows, cols, row_stride: cols, col_stride: 1 }
    }

    /// Some of the columns.
    ///
    /// # Panics
    /// When the range exceeds them.
    pub fn cols(self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.cols, "columns of a matrix");
        // A matrix without rows has nothing to skip.
        let skipped = (range.start * self.col_stride).min(self.data.len());
        Self { data: &self.data[skipped..], cols: range.len(), ..self }
    }

    /// The transpose, without copying.
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

/// A matrix stored as consecutive panels of [`PANEL`] columns, each row by row; the last panel has the remaining columns.
/// Products read a right operand in this order, so a weight stored this way needs no packing.
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
        assert_eq!(Some(data.len()), rows.checked_mul(cols), "a {rows} x {cols} matrix in panels");
        Self { data, rows, cols }
    }

    /// Index of a row and column in the slice.
    #[inline(always)]
    pub(crate) fn index(&self, row: usize, col: usize) -> usize {
        in_panels(self.rows, self.cols, row, col)
    }

    /// The slice from a row and a panel's first column on, and the distance between panels.
    #[inline(always)]
    pub(crate) fn starting_at(&self, row: usize, col: usize) -> (&'a [T], usize) {
        (&self.data[self.index(row, col).min(self.data.len())..], self.rows * PANEL)
    }
}

/// Index of a row and column in a matrix of that size in panels.
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
    /// The transpose of a matrix in panels.
    Transposed(Panels<'a, T>),
}

impl<T> Right<'_, T> {
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Mat(mat) => mat.rows,
            Self::Panels(panels) => panels.rows,
            Self::Transposed(panels) => panels.cols,
        }
    }

    pub(crate) fn cols(&self) -> usize {
        match self {
            Self::Mat(mat) => mat.cols,
            Self::Panels(panels) => panels.cols,
            Self::Transposed(panels) => panels.rows,
        }
    }
}

impl<'a, T> From<Mat<'a, T>> for Right<'a, T> {
    fn from(mat: Mat<'a, T>) -> Self {
        Self::Mat(mat)
    }
}

/// The sum of the products `a[i] · b[i]`, passed to the epilogue piece by piece, on this thread.
///
/// # Panics
/// When the shapes do not fit.
#[inline(always)]
pub fn product<T: Float>(a: &[Mat<'_, T>], b: &[Right<'_, T>], epilogue: &mut impl Epilogue<T>) {
    assert!(!a.is_empty() && a.len() == b.len(), "as many left as right operands");
    let rows = a[0].rows;
    let cols = b[0].cols();
    let mut pairs = a.iter().zip(b);
    let fit = pairs.all(|(a, b)| a.cols == b.rows() && a.rows == rows && b.cols() == cols);
    assert!(fit, "shapes of a product");
    T::product(a, b, epilogue);
}

/// `out = scale · a · b`, row-major, single-threaded.
///
/// One call is one thread: parallel callers split rows or columns of the result, which does not change a byte of it.
///
/// ```
/// use tensor::{matmul, Mat};
/// let a = [1.0f32, 2.0, 3.0, 4.0];
/// let b = [1.0, 0.0, 0.0, 2.0];
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
