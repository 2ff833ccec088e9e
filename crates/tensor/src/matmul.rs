//! Every matrix product of the program goes through [`matmul`].

use crate::Float;

/// A matrix seen in a row-major slice, as it lies or transposed.
#[derive(Clone, Copy, Debug)]
pub struct Mat<'a, T> {
    data: &'a [T],
    rows: usize,
    cols: usize,
    row_stride: usize,
    col_stride: usize,
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
pub fn matmul<T: Float>(out: &mut [T], scale: T, a: Mat<'_, T>, b: Mat<'_, T>) {
    assert_eq!(a.cols, b.rows, "inner sizes of a product");
    assert_eq!(out.len(), a.rows * b.cols, "size of a product");
    if out.is_empty() {
        return;
    }
    if a.cols == 0 {
        out.fill(T::ZERO);
        return;
    }
    // SAFETY: the assertions above and in `Mat::new` bound every index that these sizes and strides reach, and `out` is
    // borrowed mutably, so it overlaps neither operand.
    unsafe { T::gemm(out.as_mut_ptr(), scale, a, b) };
}

/// The kernel of each number type. The crates of the two real types are used by themselves: the one that unites them
/// brings complex and half-precision kernels along, which take longer to compile than the rest of this crate.
pub trait Gemm: Sized {
    /// `out = scale · a · b`, row-major.
    ///
    /// # Safety
    /// `out` holds `a.rows · b.cols` values and overlaps neither operand; `a.cols == b.rows`.
    unsafe fn gemm(out: *mut Self, scale: Self, a: Mat<'_, Self>, b: Mat<'_, Self>);
}

macro_rules! gemm {
    ($kind:ident, $package:ident) => {
        impl Gemm for $kind {
            unsafe fn gemm(out: *mut $kind, scale: $kind, a: Mat<'_, $kind>, b: Mat<'_, $kind>) {
                // The kernels like their result column by column, so the transposed product is computed:
                // outᵀ = bᵀ·aᵀ, whose columns are the rows of `out`.
                let (stride, of) = (b.cols as isize, |x: usize| x as isize);
                // SAFETY: the caller's promise.
                unsafe {
                    $package::gemm::$kind::get_gemm_fn()(
                        b.cols,
                        a.rows,
                        a.cols,
                        out,
                        stride,
                        1,
                        false,
                        b.data.as_ptr(),
                        of(b.row_stride),
                        of(b.col_stride),
                        a.data.as_ptr(),
                        of(a.row_stride),
                        of(a.col_stride),
                        0.0,
                        scale,
                        false,
                        false,
                        false,
                        gemm_common::Parallelism::None,
                    );
                }
            }
        }
    };
}
gemm!(f32, gemm_f32);
gemm!(f64, gemm_f64);

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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn agrees_with_the_definition(m in 1usize..40, n in 1usize..40, k in 0usize..70, seed: u64) {
            let mut stream = Stream::new(seed, Purpose::Init);
            let mut draw = |len: usize| (0..len).map(|_| stream.normal()).collect::<Vec<f64>>();
            let (a, b) = (draw(m * k), draw(k * n));
            let (at, bt) = (transposed(&a, m, k), transposed(&b, k, n));
            let expected = plain(&a, &b, m, n, k);
            for (left, right) in [
                (Mat::new(&a, m, k), Mat::new(&b, k, n)),
                (Mat::new(&at, k, m).t(), Mat::new(&b, k, n)),
                (Mat::new(&a, m, k), Mat::new(&bt, n, k).t()),
            ] {
                let mut out = vec![f64::NAN; m * n];
                matmul(&mut out, 2.0, left, right);
                for (got, want) in out.iter().zip(&expected) {
                    prop_assert!((got - 2.0 * want).abs() < 1e-12 * (1.0 + k as f64));
                }
            }
            let single: (Vec<f32>, Vec<f32>) =
                (a.iter().map(|&x| x as f32).collect(), b.iter().map(|&x| x as f32).collect());
            let mut out = vec![f32::NAN; m * n];
            matmul(&mut out, 1.0, Mat::new(&single.0, m, k), Mat::new(&single.1, k, n));
            for (got, want) in out.iter().zip(&expected) {
                prop_assert!((f64::from(*got) - want).abs() < 1e-5 * (1.0 + k as f64));
            }
        }
    }
}
