//! The cosine with the gradient of the mean credit over K draws, for rules that draw noise anew for each batch.
//!
//! One draw of unbiased credit can have a cosine near 0. Averaged over draws, noise goes and bias stays.

use super::CosineMean;
use protocol::statistics;
use record::audit::MeanCredit;
use tensor::Float;

/// The numbers of draws that are averaged, K. Each divides the last, which is the number of draws in all.
pub const DRAWS: [u64; 4] = [1, 4, 16, 64];

/// The 97.5th percentile of a normal variable.
const Z: f64 = 1.96;

/// The expected cosine with p of the mean of K draws of ξ⟨ξ, p⟩ with Gaussian ξ of d features: Γ((K+1)/2)·Γ((K+d−1)/2) /
/// (Γ(K/2)·Γ((K+d)/2)), because its square is a Beta(K/2, (d−1)/2) variable. √(K/(K+d+1)) is close to it for large K, and too
/// large by a quarter at K = 1.
///
/// ```
/// use audit::measurements::expected_cosine;
/// assert!((expected_cosine(64, 256) - (64.0f64 / 321.0).sqrt()).abs() < 1e-3);
/// // The mean of |x|/‖ξ‖ on a circle is 2/π.
/// assert!((expected_cosine(1, 2) - 2.0 / std::f64::consts::PI).abs() < 1e-12);
/// ```
pub fn expected_cosine(draws: u64, features: usize) -> f64 {
    let k = draws as f64;
    let d = features as f64;
    let ratio = |a: f64, b: f64| libm::lgamma(a / 2.0) - libm::lgamma(b / 2.0);
    libm::exp(ratio(k + 1.0, k) + ratio(k + d - 1.0, k + d))
}

/// Credits of some samples at one state, draw by draw, and the cosines of their means with the gradient.
pub struct RedrawnCredit<'a> {
    p: &'a [f64],
    width: usize,
    drawn: u64,
    /// For each K, the sum of the draws since the last complete group.
    sums: [Vec<f64>; DRAWS.len()],
    /// For each K and sample, the cosines of all groups.
    cosines: [Vec<CosineMean>; DRAWS.len()],
}

impl<'a> RedrawnCredit<'a> {
    /// Gradients in rows of `width` features.
    pub fn new(p: &'a [f64], width: usize) -> Self {
        let sums = DRAWS.map(|_| vec![0.0; p.len()]);
        let cosines = DRAWS.map(|_| vec![CosineMean::default(); p.len() / width]);
        Self { p, width, drawn: 0, sums, cosines }
    }

    /// Adds the next draw.
    pub fn add<A: Float>(&mut self, credit: &[A]) {
        self.drawn += 1;
        for ((draws, sum), cosines) in DRAWS.iter().zip(&mut self.sums).zip(&mut self.cosines) {
            sum.iter_mut().zip(credit).for_each(|(sum, a)| *sum += a.to_f64());
            if self.drawn.is_multiple_of(*draws) {
                let rows = sum.chunks_exact(self.width).zip(self.p.chunks_exact(self.width));
                rows.zip(cosines).for_each(|((a, p), cosine)| cosine.add(a, p, self.width));
                sum.fill(0.0);
            }
        }
    }

    /// For each K, the mean cosine of each sample that has one.
    pub fn cosines(&self) -> [Vec<f64>; DRAWS.len()] {
        self.cosines.each_ref().map(|samples| samples.iter().filter_map(CosineMean::mean).collect())
    }
}

/// The curve over K from the cosines of all samples; empty with fewer than two.
pub fn mean_credit(cosines: &[Vec<f64>; DRAWS.len()], features: usize) -> Vec<MeanCredit> {
    let point = |(&draws, values): (&u64, &Vec<f64>)| {
        let found = statistics(values.iter().copied())?;
        let error = Z * found.sd? / (found.n as f64).sqrt();
        Some(MeanCredit {
            draws,
            samples: found.n as u64,
            cosine: found.mean,
            low: found.mean - error,
            high: found.mean + error,
            expected: expected_cosine(draws, features),
        })
    };
    DRAWS.iter().zip(cosines).filter_map(point).collect()
}
