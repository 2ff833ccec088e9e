//! Differences of activations, as epilogues of the products that give the shifts of their inputs.
//!
//! GELU is x·Φ(x), so GELU(z + δ) − GELU(z) = δ·Φ(z) + (z + δ)·(Φ(z + δ) − Φ(z)). Between the middle m = z + δ/2 and its
//! ends the density is φ(m + u) = φ(m)·Σ Heₖ(m)·(−u)ᵏ/k!, and the odd terms leave the integral: Φ(z + δ) − Φ(z) =
//! δ·φ(m)·Σ He₂ₖ(m)·(δ/2)²ᵏ/(2k + 1)!. For tanh, tanh(z + δ) − tanh z = u·(1 − t²)/(1 + t·u) with t = tanh z and u = tanh δ.

use super::{Sides, halved, opposite};
use crate::epilogue::piece;
use crate::{Epilogue, Float, Phi};
use std::f64::consts::FRAC_1_SQRT_2;

/// An activation's unmoved inputs, and what its differences need of them: computed in f64, kept in T.
#[derive(Clone, Debug)]
pub struct PhiAt<T> {
    phi: Phi<T>,
    z: Vec<T>,
    /// Φ(z), or tanh z.
    value: Vec<T>,
    /// 1 − tanh² z; empty for GELU.
    fall: Vec<T>,
}

impl<T: Float> PhiAt<T> {
    /// At these inputs.
    pub fn new(phi: Phi<T>, z: &[f64]) -> Self {
        let of = |f: &dyn Fn(f64) -> f64| z.iter().map(|&z| T::of(f(z))).collect();
        let (value, fall) = match phi {
            Phi::Gelu => (of(&|z| 0.5 * libm::erfc(-z * FRAC_1_SQRT_2)), Vec::new()),
            Phi::Blend(_) => (of(&libm::tanh), of(&|z| libm::cosh(z).powi(-2))),
        };
        Self { phi, z: of(&|z| z), value, fall }
    }

    /// φ(z + d) − φ(z), from index `start` on.
    #[inline(always)]
    fn up<const N: usize>(&self, start: usize, d: [T; N]) -> [T; N] {
        let z = piece(&self.z, start);
        let value = piece(&self.value, start);
        match self.phi {
            Phi::Gelu => gelu(z, value, d),
            Phi::Blend(alpha) => blend(alpha, z, value, piece(&self.fall, start), d),
        }
    }
}

/// Writes the difference of φ around z, the unmoved input of the row's owner, where z shifts by the value. What is subnormal becomes 0.
#[derive(Debug)]
pub struct PhiShift<'a, T> {
    /// The unmoved inputs, one row of `cols` per owner.
    pub at: &'a PhiAt<T>,
    /// The owner of each row.
    pub owners: &'a [usize],
    /// Which difference.
    pub sides: Sides,
    /// Columns.
    pub cols: usize,
    /// The result.
    pub out: &'a mut [T],
}

impl<T: Float> Epilogue<T> for PhiShift<'_, T> {
    #[inline(always)]
    fn take<const N: usize>(&mut self, row: usize, col: usize, values: [T; N]) {
        let start = self.owners[row] * self.cols + col;
        let mut shift = self.at.up(start, values);
        if self.sides == Sides::Both {
            shift = halved(shift, self.at.up(start, opposite(values)));
        }
        for x in &mut shift {
            *x = x.flushed();
        }
        self.out[row * self.cols + col..][..N].copy_from_slice(&shift);
    }
}

/// Longest shift of an input that the terms below serve: what they leave out of Φ is less than 2e-9.
const SHORT: f64 = 0.5;

#[inline(always)]
fn gelu<T: Float, const N: usize>(z: [T; N], cdf: [T; N], d: [T; N]) -> [T; N] {
    let half = T::of(0.5);
    let mut out = [T::ZERO; N];
    for i in 0..N {
        let s = half * d[i];
        let m = z[i] + s;
        // Where the density is 0, its factor need not overflow.
        let square = least(m * m, T::of(400.0));
        let density = T::of(0.398_942_280_401_432_7) * (T::ZERO - half * square).exp();
        let six = square.mul_add(square.mul_add(square - T::of(15.0), T::of(45.0)), T::of(-15.0));
        let four = square.mul_add(square - T::of(6.0), T::of(3.0));
        let terms = (s * s).mul_add(six * T::of(1.0 / 5040.0), four * T::of(1.0 / 120.0));
        let terms = (s * s).mul_add(terms, (square - T::ONE) * T::of(1.0 / 6.0));
        let mean = density * (s * s).mul_add(terms, T::ONE);
        out[i] = d[i] * (z[i] + d[i]).mul_add(mean, cdf[i]);
    }
    let mut long = false;
    for d in d {
        long |= size(d) > T::of(SHORT);
    }
    if long {
        for i in 0..N {
            let direct = (z[i] + d[i]).gelu().0 - z[i] * cdf[i];
            out[i] = if size(d[i]) > T::of(SHORT) { direct } else { out[i] };
        }
    }
    out
}

#[inline(always)]
fn blend<T: Float, const N: usize>(alpha: T, z: [T; N], t: [T; N], fall: [T; N], d: [T; N]) -> [T; N] {
    let mut out = [T::ZERO; N];
    for i in 0..N {
        let u = d[i].tanh();
        let both = t[i] * u;
        // A shift that takes z from one end past 0: there the denominator would lose its digits, and the difference is large.
        let past = both < T::of(-0.9);
        let direct = (z[i] + d[i]).tanh() - t[i];
        let exact = u * fall[i] / (T::ONE + both);
        out[i] = (T::ONE - alpha) * d[i] + alpha * if past { direct } else { exact };
    }
    out
}

#[inline(always)]
fn size<T: Float>(x: T) -> T {
    x.max(T::ZERO - x)
}

#[inline(always)]
fn least<T: Float>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

/// Adds the values to the shifts of a state.
#[derive(Debug)]
pub struct Shifted<'a, T> {
    /// Columns.
    pub cols: usize,
    /// The shifts.
    pub out: &'a mut [T],
}

impl<T: Float> Epilogue<T> for Shifted<'_, T> {
    #[inline(always)]
    fn take<const N: usize>(&mut self, row: usize, col: usize, values: [T; N]) {
        let start = row * self.cols + col;
        let mut sum: [T; N] = piece(self.out, start);
        for i in 0..N {
            sum[i] += values[i];
        }
        self.out[start..][..N].copy_from_slice(&sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mat, product};

    /// Shifts of one input each, in f32.
    fn shifts(phi: Phi<f32>, z: &[f64], d: &[f32]) -> Vec<f32> {
        let at = PhiAt::new(phi, z);
        let mut out = vec![f32::NAN; z.len()];
        let mut shift = PhiShift { at: &at, owners: &[0], sides: Sides::Up, cols: z.len(), out: &mut out };
        product(&[Mat::new(&[1.0], 1, 1)], &[Mat::new(d, 1, d.len()).into()], &mut shift);
        out
    }

    /// ∫ f′ from z to z + d by Gauss and Legendre's five points on each of many pieces: nothing cancels there either.
    fn integral(slope: impl Fn(f64) -> f64, z: f64, d: f64) -> f64 {
        const NODES: [(f64, f64); 3] = [
            (0.0, 0.568_888_888_888_888_9),
            (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
            (0.906_179_845_938_664, 0.236_926_885_056_189_1),
        ];
        let pieces = 64;
        let half = d / pieces as f64 / 2.0;
        let mut sum = 0.0;
        for piece in 0..pieces {
            let middle = z + (2 * piece + 1) as f64 * half;
            for (node, weight) in NODES {
                let both = slope(middle + node * half) + slope(middle - node * half);
                sum += if node == 0.0 { weight * both / 2.0 } else { weight * both };
            }
        }
        sum * half
    }

    #[test]
    fn differences_are_right_for_shifts_of_every_size() {
        let gelu = |x: f64| {
            let cdf = 0.5 * libm::erfc(-x * FRAC_1_SQRT_2);
            cdf + x * (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
        };
        let blended = |x: f64| 0.25 + 0.75 / libm::cosh(x).powi(2);
        for size in [1e-12f32, 1e-6, 1e-3, 0.1, 0.49, 0.51, 2.0, 30.0] {
            for sign in [1.0, -1.0] {
                let z: Vec<f64> = (-640..640).map(|i| f64::from(i) / 64.0).collect();
                let d = vec![sign * size; z.len()];
                let by = f64::from(d[0]);
                for (i, found) in shifts(Phi::Gelu, &z, &d).into_iter().enumerate() {
                    let error = (f64::from(found) - integral(gelu, z[i], by)).abs();
                    let allowed =
                        if size > 0.5 { 1e-6 * (1.0 + z[i].abs() + by.abs()) } else { 1e-6 * by.abs() };
                    assert!(error <= allowed, "gelu {} by {by}: {found} {error}", z[i]);
                }
                for (i, found) in shifts(Phi::Blend(0.75), &z, &d).into_iter().enumerate() {
                    let error = (f64::from(found) - integral(blended, z[i], by)).abs();
                    assert!(error <= 2e-6 * by.abs(), "blend {} by {by}: {found} {error}", z[i]);
                }
            }
        }
    }
}
