//! The two number types: f32 for training, f64 for audits.
//!
//! `exp`, `tanh` and GELU are polynomials without branches or calls, so that loops over them vectorise. In f64 they are
//! accurate to the last digits, since audits rely on them.

use crate::kernel::Kernel;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Sub};

/// A floating-point type that networks are computed in: `f32` or `f64`.
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
    + Kernel
    + sealed::Sealed
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// The smallest positive normal number.
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
    /// Zero in place of a subnormal. Many processors need a hundred times as long to multiply one, and in a trained
    /// network the tail of GELU produces thousands.
    fn flushed(self) -> Self;
}

/// The constants and methods that both types take from the standard library.
macro_rules! standard_methods {
    ($float:ident) => {
        const ZERO: Self = 0.0;
        const ONE: Self = 1.0;
        const MIN_POSITIVE: f64 = $float::MIN_POSITIVE as f64;
        #[inline(always)]
        fn of(x: f64) -> Self {
            x as $float
        }
        #[inline(always)]
        fn to_f64(self) -> f64 {
            self as f64
        }
        #[inline(always)]
        fn mul_add(self, a: Self, b: Self) -> Self {
            $float::mul_add(self, a, b)
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            $float::sqrt(self)
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            $float::max(self, other)
        }
        #[inline(always)]
        fn flushed(self) -> Self {
            if self.abs() < $float::MIN_POSITIVE { 0.0 } else { self }
        }
    };
}
pub(super) use standard_methods;

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
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

    /// Points in both tails and close around zero, as f64.
    fn wide() -> impl Iterator<Item = f64> {
        points().map(f64::from).chain((-700..700).map(f64::from))
    }

    #[test]
    fn f64_exp_and_tanh_agree_with_libm() {
        for x in wide() {
            assert!((Float::exp(x) / libm::exp(x) - 1.0).abs() < 5e-16, "exp {x}");
            assert!((Float::tanh(x) - libm::tanh(x)).abs() <= 1e-15 * libm::tanh(x).abs(), "tanh {x}");
        }
        assert!(Float::exp(-1000.0f64) == 0.0 && Float::exp(f64::NEG_INFINITY) == 0.0);
        assert!(Float::exp(1e300f64).is_infinite() && Float::exp(f64::NAN).is_nan());
        assert!(f64::NAN.gelu().0.is_nan() && Float::tanh(f64::NAN).is_nan());
    }

    /// Against erfc: near zero, at one, and far in the tail, where all digits of a tiny value are asked for.
    #[test]
    fn f64_gelu_agrees_with_libm() {
        for x in wide() {
            let cdf = 0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2);
            let (value, _) = x.gelu();
            // Rounding x²/2 alone costs so much of e^(−x²/2).
            let tolerance = 1e-15 * (1.0 + x * x);
            assert!((value - x * cdf).abs() <= tolerance * (x * cdf).abs() + 1e-300, "gelu {x}: {value}");
        }
    }

    #[test]
    fn f64_gelu_slope_is_its_derivative() {
        for i in -60..=60 {
            let x = f64::from(i) * 0.1;
            let h = 1e-6;
            let difference = ((x + h).gelu().0 - (x - h).gelu().0) / (2.0 * h);
            assert!((x.gelu().1 - difference).abs() < 1e-9, "at {x}");
        }
    }

    #[test]
    fn only_subnormals_are_flushed() {
        for x in [f32::MIN_POSITIVE, -f32::MIN_POSITIVE, 1.0, f32::INFINITY, 0.0] {
            assert_eq!(x.flushed(), x);
        }
        assert_eq!((f32::MIN_POSITIVE / 2.0).flushed(), 0.0);
        assert_eq!((-f64::MIN_POSITIVE / 2.0).flushed(), 0.0);
        assert_eq!(f64::MIN_POSITIVE.flushed(), f64::MIN_POSITIVE);
        assert!(f32::NAN.flushed().is_nan() && f64::NAN.flushed().is_nan());
    }

    #[test]
    fn exp_ends_where_f32_does() {
        assert!(Float::exp(1e30f32).is_finite() && Float::exp(-87.0f32) > 0.0);
        assert!(Float::exp(-87.5f32) == 0.0 && Float::exp(f32::NEG_INFINITY) == 0.0);
        assert!(Float::exp(f32::NAN).is_nan());
    }
}
