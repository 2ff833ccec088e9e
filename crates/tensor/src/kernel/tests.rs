//! Products of every kind of operand against the definition, and all tiles against each other.

use super::tile::{Strip, tile};
use super::walk::{Buffers, blocks};
#[cfg(target_arch = "x86_64")]
use super::x86;
use crate::random::{Purpose, Stream};
use crate::{Epilogue, Float, Mat, Panels, Right, Window, in_panels, matmul, product};
use proptest::prelude::*;
use std::ops::Range;

fn plain(a: &[f64], b: &[f64], m: usize, n: usize, k: usize) -> Vec<f64> {
    let entry = |i: usize, j: usize| (0..k).map(|p| a[i * k + p] * b[p * n + j]).sum();
    (0..m * n).map(|ij| entry(ij / n, ij % n)).collect()
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
    let a = draw(m * k);
    let b = draw(k * n);
    let at = transposed(&a, m, k);
    let bt = transposed(&b, k, n);
    let bp = panels(&b, k, n);
    let btp = panels(&bt, n, k);
    let expected = plain(&a, &b, m, n, k);
    let rights = [
        Right::Mat(Mat::new(&b, k, n)),
        Right::Mat(Mat::new(&bt, n, k).t()),
        Right::Panels(Panels::new(&bp, k, n)),
        Right::Transposed(Panels::new(&btp, n, k)),
    ];
    let lefts = [Mat::new(&a, m, k), Mat::new(&at, k, m).t()];
    let mut first = None;
    for left in lefts {
        for right in rights {
            let mut out = vec![f64::NAN; m * n];
            matmul(&mut out, 2.0, left, right);
            let mut blocks = Collected { cols: n, out: vec![f64::NAN; m * n] };
            product(&[left], &[right], &mut blocks);
            prop_assert!(blocks.out.iter().zip(&out).all(|(x, y)| 2.0 * x == *y), "in blocks: {right:?}");
            for (got, want) in out.iter().zip(&expected) {
                prop_assert!((got - 2.0 * want).abs() < 1e-12 * (1.0 + k as f64), "{right:?}");
            }
            prop_assert_eq!(first.get_or_insert_with(|| out.clone()), &out, "same bytes in every layout");
        }
    }
    let single = |x: &[f64]| x.iter().map(|&x| x as f32).collect::<Vec<f32>>();
    let [a, bp, btp] = [&a, &bp, &btp].map(|x| single(x));
    for right in [Right::Panels(Panels::new(&bp, k, n)), Right::Transposed(Panels::new(&btp, n, k))] {
        let mut out = vec![f32::NAN; m * n];
        matmul(&mut out, 1.0, Mat::new(&a, m, k), right);
        let mut blocks = Collected { cols: n, out: vec![f32::NAN; m * n] };
        product(&[Mat::new(&a, m, k)], &[right], &mut blocks);
        prop_assert_eq!(&blocks.out, &out, "in blocks");
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
        let at = draw(k * m);
        let b = draw(k * n);
        let cut = cut % k;
        let mut whole = vec![f32::NAN; m * n];
        matmul(&mut whole, 1.0, Mat::new(&at, k, m).t(), Mat::new(&b, k, n));
        let (left_start, left_end) = at.split_at(cut * m);
        let (right_start, right_end) = b.split_at(cut * n);
        let first = (seed % n as u64) as usize;
        let right = |b, rows| Right::Mat(Mat::new(b, rows, n).cols(first..n));
        let mut parts = Collected { cols: n - first, out: vec![f32::NAN; m * (n - first)] };
        product(
            &[Mat::new(left_start, cut, m).t(), Mat::new(left_end, k - cut, m).t()],
            &[right(right_start, cut), right(right_end, k - cut)],
            &mut parts,
        );
        for (i, part) in parts.out.chunks_exact(n - first).enumerate() {
            prop_assert_eq!(part, &whole[i * n + first..(i + 1) * n]);
        }
    }
}

/// Larger than every block of the kernel, in each direction and in all.
#[test]
fn blocks_fit_together() {
    for (m, n, k) in
        [(300, 20, 10), (7, 32, 0), (7, 600, 40), (20, 18, 700), (140, 530, 300), (129, 257, 513)]
    {
        check(m, n, k, 7).expect("as defined");
    }
}

/// A product with tiles of one kind.
fn by<T: Float, const NR: usize>(strips: [Strip<T>; 2], a: Mat<'_, T>, b: Right<'_, T>) -> Vec<T> {
    let mut out = vec![T::ZERO; a.rows * b.cols()];
    let mut buffers = Buffers::new();
    let mut window = Window { out: &mut out, stride: b.cols(), scale: T::ONE };
    blocks::<T, _, NR>(&[a], &[b], &mut window, &mut buffers, strips);
    out
}

/// The kernels of machines with other vector instructions, or none, in both precisions: the same bytes wherever
/// multiply-adds are fused, and elsewhere the same up to rounding.
#[test]
fn all_kernels_agree() {
    fn compare<T: Float, const NR: usize, const WIDE: usize>(wide: &[Option<[Strip<T>; 2]>], tolerance: f64) {
        let mut stream = Stream::new(4, Purpose::Init);
        for (m, n, k) in [(1, 1, 1), (5, 23, 9), (13, 16, 300), (19, 48, 30), (30, 40, 257), (140, 70, 257)] {
            let mut draw = |len: usize| (0..len).map(|_| T::of(stream.normal())).collect::<Vec<T>>();
            let a = draw(m * k);
            let b = draw(k * n);
            let a = Mat::new(&a, m, k);
            let b = Right::Panels(Panels::new(&b, k, n));
            let strip = |tile| [Strip { rows: 4, tile, pair: None }; 2];
            let fused = by::<T, NR>(strip(tile::<T, 4, NR, true>), a, b);
            let parted = by::<T, NR>(strip(tile::<T, 4, NR, false>), a, b);
            for (x, y) in fused.iter().zip(&parted) {
                assert!((x.to_f64() - y.to_f64()).abs() < tolerance * k as f64, "{m} x {n} x {k}");
            }
            for &strips in wide.iter().flatten() {
                assert_eq!(by::<T, WIDE>(strips, a, b), fused, "{m} x {n} x {k}");
            }
            let mut chosen = vec![T::ZERO; m * n];
            matmul(&mut chosen, T::ONE, a, b);
            assert!(chosen == fused || chosen == parted, "{m} x {n} x {k}: bytes of neither");
        }
    }
    #[cfg(target_arch = "x86_64")]
    {
        compare::<f32, 8, 16>(&[false, true].map(x86::single), 1e-6);
        compare::<f64, 4, 8>(&[false, true].map(x86::double), 1e-15);
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        compare::<f32, 8, 16>(&[], 1e-6);
        compare::<f64, 4, 8>(&[], 1e-15);
    }
}

/// Takes blocks where the other tests take rows.
struct Collected<T> {
    cols: usize,
    out: Vec<T>,
}

impl<T: Float> Epilogue<T> for Collected<T> {
    const IN_BLOCKS: bool = true;

    fn block(&mut self, rows: Range<usize>, cols: Range<usize>, values: &mut [T]) {
        for (i, row) in rows.clone().enumerate() {
            for (j, col) in cols.clone().enumerate() {
                self.out[row * self.cols + col] = values[in_panels(rows.len(), cols.len(), i, j)];
            }
        }
    }
}
