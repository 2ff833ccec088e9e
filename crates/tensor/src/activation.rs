//! Activations and their slopes, as epilogues of the products before them.

use crate::epilogue::{AHEAD, biased, piece};
use crate::simd::prefetch;
use crate::{Epilogue, Float};

/// A nonlinearity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Phi<T> {
    /// Exact (erf) GELU.
    Gelu,
    /// (1−α)·z + α·tanh z.
    Blend(T),
}

/// Writes φ(value + bias) and φ's slope. For GELU, whose tail passes through all magnitudes, both are [`Float::flushed`].
#[derive(Debug)]
pub struct Activated<'a, T> {
    /// One per column.
    pub bias: &'a [T],
    /// φ.
    pub phi: Phi<T>,
    /// The activation.
    pub act: &'a mut [T],
    /// Its slope.
    pub slope: &'a mut [T],
}

impl<T: Float> Epilogue<T> for Activated<'_, T> {
    #[inline(always)]
    fn soon(&self, row: usize, col: usize) {
        let at = row * self.bias.len() + col + AHEAD;
        prefetch(self.act, at);
        prefetch(self.slope, at);
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self, row: usize, col: usize, values: [T; N]) {
        let z = biased(values, self.bias, col);
        let start = row * self.bias.len() + col;
        let mut act = [T::ZERO; N];
        let mut slope = [T::ZERO; N];
        match self.phi {
            Phi::Gelu => {
                for i in 0..N {
                    let (value, derivative) = z[i].gelu();
                    act[i] = value.flushed();
                    slope[i] = derivative.flushed();
                }
            }
            Phi::Blend(alpha) => {
                let linear = T::ONE - alpha;
                for i in 0..N {
                    let t = z[i].tanh();
                    act[i] = linear * z[i] + alpha * t;
                    slope[i] = linear + alpha * (T::ONE - t * t);
                }
            }
        }
        self.act[start..][..N].copy_from_slice(&act);
        self.slope[start..][..N].copy_from_slice(&slope);
    }
}

/// Writes value ∘ slope, [`Float::flushed`]: a signal that passes down through an activation.
#[derive(Debug)]
pub struct Sloped<'a, T> {
    /// Distance between rows in both.
    pub stride: usize,
    /// The activation's slope.
    pub slope: &'a [T],
    /// The result.
    pub out: &'a mut [T],
}

impl<T: Float> Epilogue<T> for Sloped<'_, T> {
    #[inline(always)]
    fn soon(&self, row: usize, col: usize) {
        let at = row * self.stride + col + AHEAD;
        prefetch(self.slope, at);
        prefetch(self.out, at);
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self, row: usize, col: usize, values: [T; N]) {
        let start = row * self.stride + col;
        let mut out: [T; N] = piece(self.slope, start);
        for i in 0..N {
            out[i] = (out[i] * values[i]).flushed();
        }
        self.out[start..][..N].copy_from_slice(&out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mat, product};

    /// Far in the tail of GELU, its value, its slope, and a signal times the slope are normal numbers or 0.
    #[test]
    fn no_subnormals_leave_an_activation() {
        const N: usize = 4096;
        let z: Vec<f32> = (0..N).map(|i| -20.0 + i as f32 * 5e-3).collect();
        let bias = vec![0.0; N];
        let one = [1.0];
        let [mut act, mut slope, mut below] = [(); 3].map(|()| vec![f32::NAN; N]);
        let mut activated = Activated { bias: &bias, phi: Phi::Gelu, act: &mut act, slope: &mut slope };
        product(&[Mat::new(&one, 1, 1)], &[Mat::new(&z, 1, N).into()], &mut activated);
        let signal = vec![1e-10; N];
        let mut sloped = Sloped { stride: N, slope: &slope, out: &mut below };
        product(&[Mat::new(&one, 1, 1)], &[Mat::new(&signal, 1, N).into()], &mut sloped);
        for values in [&act, &slope, &below] {
            assert!(values.iter().all(|&x| x == 0.0 || x.is_normal()));
        }
        // Without it, there would be many.
        let exact = slope.iter().map(|&slope| 1e-10 * slope);
        assert!(exact.clone().filter(|x| x.is_subnormal()).count() > 100);
        assert!(exact.zip(&below).all(|(exact, &below)| (exact - below).abs() < f32::MIN_POSITIVE));
    }
}
