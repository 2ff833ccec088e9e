//! What is measured after each epoch: the score on the whole test set, and on the first samples of it the norms of
//! states, gradients and credits and the cosines between the last two.

use super::batch::testing;
use super::session::side_by_side;
use crate::RunSpec;
use audit::{CosineMean, Thresholds, growth, median, norms};
use data::Dataset;
use nn::{Mlp, Network, Tape};
use record::{Evaluation, Measured, Score};
use rules::{Chunk, Learner, Tally, signals};

/// Samples that pass through the network at once. Large enough for full speed, small enough to stay in the cache.
pub(crate) const ROWS: usize = 256;

/// Mean loss and accuracy.
pub(super) fn score(tally: Tally) -> Score {
    let n = tally.samples.max(1) as f64;
    Score { loss: tally.loss / n, accuracy: tally.correct as f64 / n }
}

/// The score on the whole test set. Threads take turns at its parts, whose tallies are added in order.
pub(super) fn test_score(
    learner: &Learner<f32, Mlp>,
    data: &Dataset,
    chunks: &mut [Chunk<f32, Mlp>],
) -> Score {
    let (n, threads) = (data.test.len(), chunks.len());
    let mut shares: Vec<(&mut Chunk<f32, Mlp>, Vec<Tally>)> =
        chunks.iter_mut().map(|chunk| (chunk, Vec::new())).collect();
    side_by_side(&mut shares, |index, (chunk, tallies)| {
        for start in (index * ROWS..n).step_by(threads * ROWS) {
            testing(data, start..n.min(start + ROWS), chunk);
            tallies.push(learner.forward(chunk));
        }
    });
    let mut tally = Tally::default();
    for part in 0..n.div_ceil(ROWS) {
        tally += shares[part % threads].1[part / threads];
    }
    score(tally)
}

/// Norms and cosines on the first `eval.samples` test samples.
pub(super) fn evaluate(
    spec: &RunSpec,
    learner: &Learner<f32, Mlp>,
    data: &Dataset,
    chunk: &mut Chunk<f32, Mlp>,
) -> Evaluation {
    let shape = Network::<f32>::shape(&learner.net);
    let (width, layers, n) = (shape.width, shape.blocks + 1, spec.eval_samples);
    let per_layer = || vec![Vec::with_capacity(n); layers];
    let (mut hidden, mut gradient, mut credit) = (per_layer(), per_layer(), per_layer());
    let mut error = Vec::with_capacity(n);
    let mut cosine = vec![CosineMean::default(); layers];
    let mut cosine_paper = vec![CosineMean::default(); shape.blocks];
    for start in (0..n).step_by(ROWS) {
        testing(data, start..n.min(start + ROWS), chunk);
        // Credit as training uses it: reduced over a batch where the rule reduces.
        let seen = signals(learner, chunk, spec.batch);
        error.extend(norms(chunk.error(), shape.classes));
        for l in 0..layers {
            hidden[l].extend(norms(chunk.tape().hidden(l), width));
            gradient[l].extend(norms(&seen.p[l], width));
            credit[l].extend(norms(&seen.credit[l], width));
            cosine[l].add(&seen.credit[l], &seen.p[l], width);
        }
        for (l, mean) in cosine_paper.iter_mut().enumerate() {
            mean.add(&seen.credit[l + 1], &seen.p[l], width);
        }
    }
    let medians = |layers: Vec<Vec<f64>>| layers.into_iter().map(median).collect::<Vec<f64>>();
    let (hidden, gradient, credit) = (medians(hidden), medians(gradient), medians(credit));
    let finish = |means: &[CosineMean]| -> Vec<Measured> {
        let floor_norm = |l: usize| gradient[l] / Thresholds::FLOOR_SAMPLES as f64;
        means.iter().enumerate().map(|(l, mean)| mean.finish(floor_norm(l), spec.thresholds.floor)).collect()
    };
    Evaluation {
        samples: n as u64,
        growth: growth(&hidden),
        error: median(error),
        cosine: finish(&cosine),
        cosine_paper: finish(&cosine_paper),
        hidden,
        gradient,
        credit,
    }
}
