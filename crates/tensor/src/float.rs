//! The two number types: f32 trains, f64 judges.
//!
//! The f32 versions of `exp`, `tanh` and GELU are polynomials without branches or calls, so that the loops which
//! hold them become vector code; the f64 versions call `libm`, since there exactness counts and speed does not.

use crate::matmul::Gemm;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Sub};

/// A floating-point type that networks are computed in: `f32` or `f64`, and no other.
pub trait Float:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
    + MulAssign
    + Gemm
    + sealed::Sealed
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// The smallest positive number that keeps all its digits.
    const MIN_POSITIVE: f64;
    /// The nearest value to `x`.
    fn of(x: f64) -> Self;
    /// The exact value as f64.
    fn to_f64(self) -> f64;
    /// `self · a + b` in one rounding.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// e to the power of `self`.
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// The larger of two.
    fn max(self, other: Self) -> Self;
    /// Exact (erf) GELU and its derivative, which share one exponential.
    fn gelu(self) -> (Self, Self);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// Coefficients, highest power first, evaluated by Horner's rule with fused multiply-adds.
#[inline(always)]
fn horner(x: f32, coefficients: &[f32]) -> f32 {
    coefficients.iter().fold(0.0, |sum, &c| sum.mul_add(x, c))
}

/// exp by splitting off a power of two; relative error below 2e-7 on [-87, 88]. Beyond 88 it stays where it is, below −87
/// it is 0: a softmax must lose the classes that f32 cannot hold, not give them all the same share.
#[inline(always)]
fn exp_f32(x: f32) -> f32 {
    // Adding 1.5 · 2^23 leaves the rounded exponent in the low bits of the sum.
    const ROUND: f32 = 12_582_912.0;
    let vanishes = x < -87.0;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x.mul_add(std::f32::consts::LOG2_E, ROUND);
    let n = shifted - ROUND;
    // ln 2 in two parts, so that the remainder keeps all its bits.
    let r = n.mul_add(2.121_944_4e-4, n.mul_add(-0.693_359_4, x));
    let p = horner(r, &[1.987_569_1e-4, 1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5]);
    let y = p.mul_add(r * r, r + 1.0);
    let value = f32::from_bits((y.to_bits() as i32).wrapping_add((shifted.to_bits() as i32) << 23) as u32);
    if vanishes { 0.0 } else { value }
}

impl Float for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const MIN_POSITIVE: f64 = f32::MIN_POSITIVE as f64;
    #[inline(always)]
    fn of(x: f64) -> Self {
        x as f32
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        f32::mul_add(self, a, b)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        exp_f32(self)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        libm::logf(self)
    }
    #[inline(always)]
    fn tanh(self) -> Self {
        // Near zero the exponential form would cancel, so a polynomial takes over; both are computed, one is kept.
        let z = self * self;
        let p = horner(z, &[-5.704_988_7e-3, 2.063_909e-2, -5.373_971_6e-2, 1.333_144_2e-1, -3.333_328e-1]);
        let small = (p * z).mul_add(self, self);
        let magnitude = 1.0 - 2.0 / (exp_f32(2.0 * self.abs()) + 1.0);
        let large = magnitude.copysign(self);
        if self.abs() < 0.625 { small } else { large }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        f32::max(self, other)
    }
    #[inline(always)]
    fn gelu(self) -> (Self, Self) {
        // The upper tail of the normal law by Abramowitz and Stegun 7.1.26 (absolute error 1.5e-7, about one unit in
        // the last place of 1), which needs the same exponential as the density in the derivative.
        let t = 1.0 / self.abs().mul_add(0.231_641_9, 1.0);
        let e = exp_f32(-0.5 * self * self);
        let p = horner(t, &[1.061_405_4, -1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6]);
        let tail = 0.5 * p * t * e;
        let cdf = if self >= 0.0 { 1.0 - tail } else { tail };
        (self * cdf, (self * 0.398_942_3).mul_add(e, cdf))
    }
}

impl Float for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const MIN_POSITIVE: f64 = f64::MIN_POSITIVE;
    #[inline(always)]
    fn of(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        f64::mul_add(self, a, b)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn exp(self) -> Self {
        libm::exp(self)
    }
    fn ln(self) -> Self {
        libm::log(self)
    }
    fn tanh(self) -> Self {
        libm::tanh(self)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        f64::max(self, other)
    }
    fn gelu(self) -> (Self, Self) {
        let cdf = 0.5 * libm::erfc(-self * std::f64::consts::FRAC_1_SQRT_2);
        let density = libm::exp(-0.5 * self * self) / (2.0 * std::f64::consts::PI).sqrt();
        (self * cdf, self.mul_add(density, cdf))
    }
}

#[cfg(test)]
mod tests {
    use super::Float;

    /// Points from deep in one tail to deep in the other, and close around zero.
    fn points() -> impl Iterator<Item = f32> {
        (-40_000..=40_000).map(|i| i as f32 * 5e-4).chain((-2000..2000).map(|i| i as f32 * 1e-6))
    }

    #[test]
    fn f32_exp_and_tanh_have_small_relative_error() {
        for x in points() {
            let exact = libm::exp(f64::from(x));
            assert!((f64::from(Float::exp(x)) / exact - 1.0).abs() < 2.5e-7, "exp {x}");
            let exact = libm::tanh(f64::from(x));
            let error = (f64::from(Float::tanh(x)) - exact).abs();
            assert!(error <= 2.5e-7 * exact.abs(), "tanh {x}: {error}");
        }
    }

    #[test]
    fn f32_gelu_agrees_with_f64() {
        for x in points() {
            let (value, slope) = x.gelu();
            let (exact, exact_slope) = f64::from(x).gelu();
            assert!((f64::from(value) - exact).abs() <= 2.5e-7 * (1.0 + exact.abs()), "gelu {x}");
            assert!((f64::from(slope) - exact_slope).abs() <= 4e-7, "slope {x}");
        }
    }

    #[test]
    fn f64_gelu_slope_is_its_derivative() {
        for i in -60..=60 {
            let (x, h) = (f64::from(i) * 0.1, 1e-6);
            let difference = ((x + h).gelu().0 - (x - h).gelu().0) / (2.0 * h);
            assert!((x.gelu().1 - difference).abs() < 1e-9, "at {x}");
        }
    }

    #[test]
    fn exp_ends_where_f32_does() {
        assert!(Float::exp(1e30f32).is_finite() && Float::exp(-87.0f32) > 0.0);
        assert!(Float::exp(-87.5f32) == 0.0 && Float::exp(f32::NEG_INFINITY) == 0.0);
        assert!(Float::exp(f32::NAN).is_nan());
    }
}
