//! f32, for training.

use super::Float;
use super::number::standard_methods;

/// Horner's rule with fused multiply-adds. Highest power first.
#[inline(always)]
fn horner(x: f32, coefficients: &[f32]) -> f32 {
    coefficients.iter().fold(0.0, |sum, &c| sum.mul_add(x, c))
}

/// exp by splitting off a power of two; relative error below 2e-7 on [-87, 88]. It is constant above 88 and 0 below −87: a
/// softmax must drop the classes that f32 cannot represent, not give them all the same share.
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
    standard_methods!(f32);
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
        // Near zero the exponential form loses digits, so a polynomial replaces it. Both are computed, one is selected.
        let z = self * self;
        let p = horner(z, &[-5.704_988_7e-3, 2.063_909e-2, -5.373_971_6e-2, 1.333_144_2e-1, -3.333_328e-1]);
        let small = (p * z).mul_add(self, self);
        let magnitude = 1.0 - 2.0 / (exp_f32(2.0 * self.abs()) + 1.0);
        let large = magnitude.copysign(self);
        if self.abs() < 0.625 { small } else { large }
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
