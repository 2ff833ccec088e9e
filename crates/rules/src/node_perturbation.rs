//! Node perturbation: credit is a random direction times how the loss changes along it. No signal travels backwards (Williams,
//! 1992; Werfel, Xie and Seung, 2005).
//!
//! a = ξ·(L(h + σξ) − L(h − σξ))/2σ at every h_l, with Gaussian ξ of its own for each sample, unit and step. The mean over ξ
//! is the gradient of the loss smoothed over σ, so credit is unbiased up to σ². One draw is mostly noise: its cosine with p is
//! about √(2/πd), and that of the mean of K draws about √(K/(K+d+1)).
//!
//! Credit is not normalised unless the recipe says so. Divided by its root mean square, each sample's credit would keep its mean
//! direction but not its length, so the mean over the batch would no longer be the gradient.

use crate::definition::Definition;
use crate::keys::POSITIVE;
use crate::normalise::NOT_NORMALISED;
use crate::{BatchView, Credit, Given, Gives, Rule, RuleKey, Value};
use nn::{Network, Tape};
use tensor::random::{Purpose, Stream};
use tensor::{Float, sum_of_squares};

const SIGMA: RuleKey = RuleKey::new(
    "rule.sigma",
    POSITIVE,
    Value::Real(0.01),
    "Size of the noise, as a share of the root mean square of each sample's state.",
);

/// Node perturbation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodePerturbation {
    /// σ in units of the root mean square of a state. A fixed σ would drown in f32 rounding as soon as states are large.
    sigma: f64,
    seed: u64,
    /// The step whose noise a measurement uses. Training counts its steps from 1.
    measured_at: u64,
}

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition {
        keys: &[SIGMA, NOT_NORMALISED],
        unfit: |net| {
            let coupled = net.couples_samples();
            let coupled =
                coupled.then_some("the noise of one sample moves the loss of others through BatchNorm");
            let unlabelled = "it measures a classifier's loss, but this task has no labels";
            coupled.or((!net.classifies()).then_some(unlabelled))
        },
        // Two passes from every state, through half of the blocks on average.
        work: |_, net, inner| (net.shape().blocks + 1) as f64 * inner,
        draws_anew: true,
        ..Definition::new(
            "a_l = ξ·(loss(h + σξ) − loss(h − σξ)) / 2σ at h = h_{l+1},   a_embed at h_0",
            "ξ is Gaussian noise, drawn anew for each sample, unit and step; σ is rule.sigma times the root mean square of the \
             sample's state. The mean over ξ is the gradient, up to σ². One draw is mostly noise: see \
             `creditscope explain \"mean credit\"`. No signal travels backwards. Williams, 1992; Werfel, Xie and Seung, 2005.",
            |spec, _, _, seed| {
                Box::new(NodePerturbation { sigma: spec.real(SIGMA.name), seed, measured_at: 0 })
            },
        )
    }
}

/// The loss of one sample. In f32 its change would be lost in rounding where the sample is almost solved.
fn cross_entropy<T: Float>(logits: &[T], label: u8) -> f64 {
    let largest = logits.iter().map(|z| z.to_f64()).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logits.iter().map(|z| libm::exp(z.to_f64() - largest)).sum();
    libm::log(sum) + (largest - logits[usize::from(label)].to_f64())
}

impl<T: Float, N: Network<T>> Gives<T, N> for NodePerturbation {
    fn give(&self, batch: &BatchView<'_, T, N>, given: Given<'_, T>) {
        let &BatchView { net, params, labels, .. } = batch;
        let n = labels.len();
        let units = given.credit.len();
        let t = given.gradient.map_or(self.measured_at, |gradient| gradient.t);
        let mut tape = net.tape(2 * n);
        for (unit, credit) in given.credit.iter_mut().enumerate() {
            let width = net.state(unit).width();
            let h = batch.tape.hidden(unit);
            let sigma = |h: &[T]| self.sigma * (sum_of_squares(h) / width as f64).sqrt();
            let sigmas: Vec<f64> = h.chunks_exact(width).map(sigma).collect();
            for (sample, xi) in credit.chunks_exact_mut(width).enumerate() {
                let mut stream = Stream::at(self.seed, Purpose::Noise, t, (sample * units + unit) as u64);
                xi.fill_with(|| T::of(stream.normal()));
            }
            let mut moved = Vec::with_capacity(2 * h.len());
            for sign in [1.0, -1.0] {
                let rows = h.chunks_exact(width).zip(credit.chunks_exact(width)).zip(&sigmas);
                moved.extend(rows.flat_map(|((h, xi), &sigma)| {
                    let sigma = T::of(sign * sigma);
                    h.iter().zip(xi).map(move |(&h, &xi)| xi.mul_add(sigma, h))
                }));
            }
            net.forward_from(params, unit, &moved, &mut tape);
            let logits = tape.logits();
            let classes = logits.len() / (2 * n);
            let loss = |row: usize, label: u8| cross_entropy(&logits[row * classes..][..classes], label);
            for (i, xi) in credit.chunks_exact_mut(width).enumerate() {
                let change = loss(i, labels[i]) - loss(n + i, labels[i]);
                // A state of zeros is not moved.
                let slope = if sigmas[i] > 0.0 { T::of(change / (2.0 * sigmas[i])) } else { T::ZERO };
                xi.iter_mut().for_each(|xi| *xi *= slope);
            }
        }
    }

    fn everywhere(&self) -> bool {
        true
    }

    fn draws_anew(&self) -> bool {
        true
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for NodePerturbation {
    fn credit(&self) -> Credit<'_, T, N> {
        Credit::Given(self)
    }

    fn fresh_draw(&self, draw: u64) -> Option<Box<dyn Rule<T, N>>> {
        // Counted down from the last step, which no training reaches.
        Some(Box::new(Self { measured_at: u64::MAX - draw, ..*self }))
    }
}
