//! The mean cosine of a credit a with a gradient p that is known only through slopes of the loss: along a, and along K random
//! directions for each sample.
//!
//! The norm of a is known, so only that of p has to be estimated. With t = ⟨p, â⟩, one difference along the credit itself, and the
//! slopes s_k along random unit vectors u_k, what the part of p at right angles to a gives is s_k − t⟨â, u_k⟩; d times its mean square
//! is that part's squared norm q, without bias. The cosine is t/√(t² + q). Of the ways that were weighed this one has the
//! shortest interval: the correlation of s_k with ⟨a, u_k⟩ has an error of 1/√K whatever the cosine; here the error is c(1−c²)/√(2K), which is
//! small where the cosine is small, and nothing where credit and gradient agree.
//!
//! As q is nearly χ² with K degrees of freedom, the root has a bias of ¾c(1−c²)²/K, which is taken off; what is left is below
//! c(1−c²)/K², which widens the interval, as does the error of the differences. Directions are drawn for each sample anew, so
//! errors of samples are independent. The interval is that of the mean over the samples that were measured.

use super::Step;
use record::audit::Estimate;
use record::{Measured, Why};

/// Half the width of a 95 % interval, in standard errors.
const WIDTH: f64 = 1.96;
/// Fewest directions: with fewer, the χ² is too skewed for a standard error.
const LEAST: usize = 8;
/// A slope's own rounding, as a share of the slopes along random directions, above which it says nothing.
const TOO_MUCH: f64 = 1e-2;

/// What was measured of one sample.
#[derive(Clone, Copy, Debug)]
pub struct Slopes<'a> {
    /// The slope along â; 0 where there is no credit.
    pub own: f64,
    /// How far that slope is off, by steps of two lengths.
    pub doubt: f64,
    /// Slopes along the random directions.
    pub random: &'a [f64],
    /// ⟨â, u⟩ for each of these.
    pub credit: &'a [f64],
    /// Features, d.
    pub width: usize,
    /// Rounding of a slope.
    pub rounding: f64,
}

/// The mean over samples, chunk by chunk.
///
/// ```
/// use audit::measurements::{EstimatedCosine, Slopes};
/// let mut mean = EstimatedCosine::default();
/// // Credit that is the gradient: nothing is left at right angles to it, so nothing is uncertain.
/// let credit = [0.1, -0.2, 0.1, 0.0, 0.05, 0.3, -0.1, 0.2];
/// let random = credit.map(|x| 3.0 * x);
/// mean.add(Slopes { own: 3.0, doubt: 0.0, random: &random, credit: &credit, width: 600, rounding: 0.0 });
/// let (value, estimate) = mean.finish(None);
/// assert!((value.value().unwrap() - 1.0).abs() < 1e-12 && estimate.unwrap().low > 1.0 - 1e-12);
/// ```
#[derive(Clone, Debug, Default)]
pub struct EstimatedCosine {
    directions: usize,
    /// Samples that have a cosine, and its sum.
    seen: usize,
    sum: f64,
    variance: f64,
    /// What is neither variance nor known in its sign.
    doubt: f64,
    /// Σ|c|(1−c²): what the differences' relative error is multiplied by.
    bent: f64,
    /// Samples whose slopes are rounding: their cosine can be anything.
    unseen: usize,
    trouble: Option<Why>,
}

impl EstimatedCosine {
    /// Notes that a sample has a gradient and no usable credit, for this reason.
    pub fn without(&mut self, why: Why) {
        self.trouble = self.trouble.max(Some(why));
    }

    /// Adds a sample.
    pub fn add(&mut self, seen: Slopes<'_>) {
        let Slopes { own, doubt, random, credit, width, rounding } = seen;
        self.directions = random.len();
        if random.len() < LEAST {
            return;
        }
        if !own.is_finite() || random.iter().any(|slope| !slope.is_finite()) {
            return self.without(Why::NotFinite);
        }
        if own == 0.0 && random.iter().all(|&slope| slope == 0.0) {
            // No gradient to follow: that is not a fault.
            return;
        }
        let count = random.len() as f64;
        let left = random.iter().zip(credit).map(|(slope, share)| slope - own * share);
        let side = width as f64 / count * left.map(|x| x * x).sum::<f64>();
        let square = own * own + side;
        let norm = square.sqrt();
        if rounding * (width as f64).sqrt() > TOO_MUCH * norm {
            self.unseen += 1;
            return;
        }
        let cosine = own / norm;
        let across = side / square;
        let bent = cosine.abs() * across;
        self.seen += 1;
        self.sum += cosine - 0.75 / count * cosine * across * across;
        self.variance += bent * bent / (2.0 * count) * (1.0 + 2.0 / count);
        self.doubt += doubt / norm + bent / (count * count);
        self.bent += bent;
    }

    /// The mean and its interval; `step` says how far the slopes are off. Without directions, there is none.
    pub fn finish(&self, step: Option<&Step>) -> (Measured, Option<Estimate>) {
        let undefined = |why: Why| (Measured::Undefined { why }, None);
        match (self.trouble, step.and_then(Step::trouble)) {
            (Some(why @ Why::NotFinite), _) | (_, Some(why)) => return undefined(why),
            (Some(why), _) if self.seen + self.unseen == 0 => return undefined(why),
            _ if self.directions < LEAST => return undefined(Why::ReferenceEstimated),
            _ if self.seen == 0 && self.unseen > 0 => return undefined(Why::Rounding),
            _ if self.seen == 0 => return undefined(Why::ReferenceVanished),
            _ => {}
        }
        let seen = self.seen as f64;
        let value = self.sum / seen;
        let off = step.map_or(0.0, |step| step.rounding);
        let half = (WIDTH * self.variance.sqrt() + self.doubt + off * self.bent) / seen + 0.5 * off * off;
        let unseen = self.unseen as f64;
        let all = seen + unseen;
        let estimate = Estimate {
            low: ((seen * (value - half) - unseen) / all).max(-1.0),
            high: ((seen * (value + half) + unseen) / all).min(1.0),
            directions: self.directions as u64,
        };
        let why = if self.trouble.is_some() { Why::SamplesLeftOut } else { Why::ReferenceEstimated };
        (Measured::Unreliable { value, why }, Some(estimate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurements::unit_directions;
    use tensor::random::{Purpose, Stream};

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    fn unit(stream: &mut Stream, width: usize) -> Vec<f64> {
        unit_directions(stream, 1, width)
    }

    /// How often the interval holds the mean cosine of known credits and gradients, out of `times`, and its mean width.
    fn held(cosine: f64, width: usize, samples: usize, directions: usize, times: usize) -> (usize, f64) {
        let mut stream = Stream::new(7, Purpose::Audit);
        let known: Vec<(Vec<f64>, Vec<f64>)> = (0..samples)
            .map(|sample| {
                let a = unit(&mut stream, width);
                let other = unit(&mut stream, width);
                let along = dot(&a, &other);
                let rest: Vec<f64> = other.iter().zip(&a).map(|(x, a)| x - along * a).collect();
                let length = dot(&rest, &rest).sqrt();
                // Samples differ in their cosine and in the size of their gradient.
                let spread = if cosine < 1.0 { 0.1 * stream.normal() } else { 0.0 };
                let own = (cosine + spread).clamp(-1.0, 1.0);
                let size = 10f64.powi(sample as i32 % 5 - 2);
                let across = (1.0 - own * own).max(0.0).sqrt();
                let g = a.iter().zip(&rest).map(|(a, r)| size * (own * a + across * r / length)).collect();
                (a, g)
            })
            .collect();
        let truth = known.iter().map(|(a, g)| dot(a, g) / dot(g, g).sqrt()).sum::<f64>() / samples as f64;
        let mut within = 0;
        let mut widths = 0.0;
        for _ in 0..times {
            let mut mean = EstimatedCosine::default();
            for (a, g) in &known {
                let vectors = unit_directions(&mut stream, directions, width);
                let along =
                    |v: &[f64]| -> Vec<f64> { vectors.chunks_exact(width).map(|u| dot(u, v)).collect() };
                let (random, credit) = (along(g), along(a));
                let own = dot(a, g);
                mean.add(Slopes { own, doubt: 0.0, random: &random, credit: &credit, width, rounding: 0.0 });
            }
            let Estimate { low, high, .. } = mean.finish(None).1.expect("measured");
            within += usize::from(low - 1e-9 <= truth && truth <= high + 1e-9);
            widths += (high - low) / times as f64;
        }
        (within, widths)
    }

    /// 95 % of 400 are 380; 93 % are left to chance.
    #[test]
    fn the_interval_holds_the_true_mean_cosine() {
        for cosine in [0.0, 0.05, 0.5, 1.0] {
            for (width, samples) in [(600, 20), (1000, 3)] {
                let (within, half) = held(cosine, width, samples, 32, 400);
                assert!(
                    within >= 372,
                    "cosine {cosine}, {width} features, {samples} samples: {within} of 400"
                );
                assert!(half < 0.5 / (samples as f64).sqrt(), "cosine {cosine}: {half}");
            }
        }
        let (within, _) = held(0.5, 2000, 20, 32, 200);
        assert!(within >= 186, "2000 features: {within} of 200");
    }

    /// Over very many samples the interval is short, and a bias would leave it.
    #[test]
    fn no_bias_shows_over_many_samples() {
        for (cosine, directions) in [(0.3, 8), (0.7, 8), (0.3, 32)] {
            let (within, _) = held(cosine, 600, 400, directions, 40);
            assert!(within >= 35, "cosine {cosine}, {directions} directions: {within} of 40");
        }
    }

    fn sample(own: f64, slope: f64, rounding: f64) -> Slopes<'static> {
        let random: &[f64] = if slope == 0.0 { &[0.0; 8] } else { &[1e-3; 8] };
        Slopes { own, doubt: 0.0, random, credit: &[0.0; 8], width: 600, rounding }
    }

    #[test]
    fn what_was_not_seen_is_not_taken_for_known() {
        let mut mean = EstimatedCosine::default();
        assert_eq!(mean.finish(None), (Measured::Undefined { why: Why::ReferenceEstimated }, None));
        // A sample without error has no cosine, and is no fault.
        mean.add(sample(0.0, 0.0, 1e-6));
        assert_eq!(mean.finish(None).0, Measured::Undefined { why: Why::ReferenceVanished });
        // One whose slopes are rounding could have any cosine.
        mean.add(sample(0.01, 1.0, 1.0));
        assert_eq!(mean.finish(None).0, Measured::Undefined { why: Why::Rounding });
        mean.add(sample(0.01, 1.0, 0.0));
        let (value, estimate) = mean.finish(None);
        let Estimate { low, high, directions } = estimate.expect("one sample was seen");
        assert_eq!((value.why(), directions), (Some(Why::ReferenceEstimated), 8));
        assert!(low < -0.2 && high > 0.7 && high - low >= 1.0, "{low} to {high}");
        mean.without(Why::CreditVanished);
        assert_eq!(mean.finish(None).0.why(), Some(Why::SamplesLeftOut));
        let step = Step { length: 1e-3, enlarged: false, rounding: 0.5 };
        assert_eq!(mean.finish(Some(&step)), (Measured::Undefined { why: Why::Rounding }, None));
    }
}
