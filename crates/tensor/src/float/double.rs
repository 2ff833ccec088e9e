//! f64, for audits.

use super::Float;
use super::number::standard_methods;
use std::f64::consts::{FRAC_1_SQRT_2, LN_2, LOG2_E};

/// Horner's rule in four interleaved sums, since a single chain would stall on its latency. Highest power first.
#[inline(always)]
fn polynomial<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let square = x * x;
    let fourth = square * square;
    let mut sums = [0.0; 4];
    for i in 0..N {
        let sum = &mut sums[(N - 1 - i) % 4];
        *sum = sum.mul_add(fourth, coefficients[i]);
    }
    sums[3].mul_add(x, sums[2]).mul_add(square, sums[1].mul_add(x, sums[0]))
}

/// 1.5 · 2^52: adding it leaves a rounded whole number in the low bits of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// ln 2 minus [`HIGH`].
const LOW: f64 = 1.908_214_929_270_587_7e-10;
/// ln 2 with its last bits 0, so that its multiples are exact.
const HIGH: f64 = LN_2 - LOW;

/// 1/k! from k = 13 down to 2.
const FACTORIALS: [f64; 12] = [
    1.605_904_383_682_161_3e-10,
    2.087_675_698_786_81e-9,
    2.505_210_838_544_172e-8,
    2.755_731_922_398_589_3e-7,
    2.755_731_922_398_589e-6,
    2.480_158_730_158_73e-5,
    1.984_126_984_126_984e-4,
    1.388_888_888_888_889e-3,
    8.333_333_333_333_333e-3,
    4.166_666_666_666_666_4e-2,
    1.666_666_666_666_666_6e-1,
    0.5,
];

/// 2^n and e^r − 1 with x = n·ln 2 + r and |r| ≤ ln 2 / 2, for −708 ≤ x ≤ 709.
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    let shifted = x.mul_add(LOG2_E, ROUND);
    let n = shifted - ROUND;
    let r = n.mul_add(-LOW, n.mul_add(-HIGH, x));
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0f64.to_bits()));
    (power, polynomial(r, &FACTORIALS).mul_add(r * r, r))
}

/// erfcx(z)/t at z = |x|/√2 and t = 1/(1 + 0.3·z), in powers of 2t − 1, highest first: the Chebyshev interpolant of degree
/// 24, with an error of 2e-17. erfcx(z) is e^(z²)·erfc(z).
const TAIL: [f64; 25] = [
    -4.681_327_421_360_15e-11,
    1.450_225_901_444_878_7e-10,
    4.225_628_881_808_563e-10,
    -1.728_921_038_837_086_6e-9,
    -1.872_230_015_002_115e-9,
    1.221_799_418_795_346_8e-8,
    5.189_177_412_960_571_5e-9,
    -7.360_783_276_729_507e-8,
    -9.777_436_121_596_886e-9,
    4.443_351_103_513_212e-7,
    7.101_831_710_959_184e-8,
    -2.859_403_335_613_454_7e-6,
    -1.749_423_773_502_682_8e-6,
    1.910_053_417_396_423e-5,
    3.273_212_204_285_675_5e-5,
    -1.070_008_735_224_260_2e-4,
    -4.813_481_259_837_744_5e-4,
    -1.817_375_461_803_463_5e-4,
    4.356_100_078_979_973e-3,
    2.040_144_693_033_609e-2,
    5.696_163_804_319_489_4e-2,
    1.187_186_747_089_261_6e-1,
    1.987_810_780_443_281_2e-1,
    2.765_235_567_560_654e-1,
    3.249_799_218_597_968_5e-1,
];

impl Float for f64 {
    standard_methods!(f64);
    #[inline(always)]
    fn exp(self) -> Self {
        let (power, rest) = split(self.clamp(-708.0, 709.0));
        let value = rest.mul_add(power, power);
        // Underflow is 0 and overflow infinite; comparisons with NaN are false, so NaN stays.
        let value = if self < -708.0 { 0.0 } else { value };
        if self > 709.0 { f64::INFINITY } else { value }
    }
    fn ln(self) -> Self {
        libm::log(self)
    }
    #[inline(always)]
    fn tanh(self) -> Self {
        // Beyond 20, tanh rounds to 1.
        let (power, rest) = split((2.0 * self.abs()).min(40.0));
        let less = rest.mul_add(power, power - 1.0);
        let value = (less / (less + 2.0)).copysign(self);
        if self.is_nan() { self } else { value }
    }
    #[inline(always)]
    fn gelu(self) -> (Self, Self) {
        let t = 1.0 / self.abs().mul_add(0.3 * FRAC_1_SQRT_2, 1.0);
        let e = Float::exp(-0.5 * self * self);
        let tail = 0.5 * polynomial(2.0f64.mul_add(t, -1.0), &TAIL) * t * e;
        let cdf = if self >= 0.0 { 1.0 - tail } else { tail };
        // 1/√(2π).
        let density = 0.398_942_280_401_432_7 * e;
        (self * cdf, self.mul_add(density, cdf))
    }
}
