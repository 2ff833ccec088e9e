//! The measurements after each epoch: the score on the whole test set, and, on its first samples, the norms of states,
//! gradients and credits and the cosines between the last two.

use super::batch::{testing, validating};
use crate::RunSpec;
use audit::measurements::feedback_angles;
use audit::{CosineMean, EpochSums};
use data::Dataset;
use nn::{Architecture, Net, State, Tape, Unit};
use protocol::at_floor;
use record::series::{FEEDBACK_ANGLE, UPDATE_COSINE};
use record::{Evaluation, Measured, Score, Why};
use rules::{Chunk, Learner, Tally, signals};
use std::collections::BTreeMap;
use std::ops::Range;

/// Number of samples in one forward pass. Large enough for full speed, small enough for the cache and, if states are large, for
/// memory.
pub(crate) fn rows(net: &Net) -> usize {
    let width = |l: usize| net.state(l).width();
    let widest = (0..=net.shape().blocks).map(width).max().unwrap_or(1);
    ((1 << 18) / widest).clamp(32, 256)
}

/// Mean loss and accuracy; the accuracy is NaN if there are no labels.
pub(super) fn score(net: &Net, tally: Tally) -> Score {
    let n = tally.samples.max(1) as f64;
    let accuracy = if net.classifies() { tally.correct as f64 / n } else { f64::NAN };
    Score { loss: tally.loss / n, accuracy }
}

/// The score on the whole test set.
pub(super) fn test_score(
    learner: &Learner<f32, Net>,
    data: &Dataset,
    chunks: &mut [Chunk<f32, Net>],
) -> Score {
    set_score(learner, data.test.len(), chunks, |samples, chunk| testing(data, samples, chunk))
}

/// The score on these training samples, not augmented; none where there are none.
pub(super) fn validation_score(
    learner: &Learner<f32, Net>,
    data: &Dataset,
    held_out: &[u32],
    chunks: &mut [Chunk<f32, Net>],
) -> Option<Score> {
    let fill = |samples, chunk: &mut _| validating(data, held_out, samples, chunk);
    (!held_out.is_empty()).then(|| set_score(learner, held_out.len(), chunks, fill))
}

/// The score on `n` samples. Threads take turns at its parts, whose tallies are added in order.
fn set_score(
    learner: &Learner<f32, Net>,
    n: usize,
    chunks: &mut [Chunk<f32, Net>],
    fill: impl Fn(Range<usize>, &mut Chunk<f32, Net>) + Sync,
) -> Score {
    let threads = chunks.len();
    let rows = rows(&learner.net);
    let mut shares: Vec<(&mut Chunk<f32, Net>, Vec<Tally>)> =
        chunks.iter_mut().map(|chunk| (chunk, Vec::new())).collect();
    tensor::side_by_side(shares.iter_mut().enumerate(), |(index, (chunk, tallies))| {
        for start in (index * rows..n).step_by(threads * rows) {
            fill(start..n.min(start + rows), chunk);
            tallies.push(learner.forward(chunk));
        }
    });
    let mut tally = Tally::default();
    for part in 0..n.div_ceil(rows) {
        tally += shares[part % threads].1[part / threads];
    }
    score(&learner.net, tally)
}

/// Norms and cosines on the first `eval.samples` test samples.
pub(super) fn evaluate(
    spec: &RunSpec,
    learner: &Learner<f32, Net>,
    data: &Dataset,
    chunk: &mut Chunk<f32, Net>,
) -> Evaluation {
    let shape = learner.net.shape();
    let n = spec.eval_samples;
    let states: Vec<State> = (0..=shape.blocks).map(|l| learner.net.state(l)).collect();
    let mut sums = EpochSums::new(states.iter().map(State::reached_features).collect());
    let mut notes = BTreeMap::<String, f64>::new();
    let rows = rows(&learner.net);
    for start in (0..n).step_by(rows) {
        testing(data, start..n.min(start + rows), chunk);
        // Credit as training uses it: averaged over a batch if the rule does that.
        let seen = signals(learner, chunk, spec.batch);
        for &(name, mean) in &seen.report.notes {
            *notes.entry(name.to_owned()).or_default() += mean * chunk.labels.len() as f64 / n as f64;
        }
        sums.add_error(chunk.error(), shape.classes);
        for (l, &state) in states.iter().enumerate() {
            let p = state.reached_part(&seen.p[l]);
            let a = state.reached_part(&seen.credit[l]);
            let h = state.reached_part(chunk.tape().hidden(l));
            // At the block's input: compares the credit of block l with p_l.
            let next = states.get(l + 1).filter(|&&next| next == state);
            let raw = next
                .map(|_| seen.report.at_input.as_ref().map_or(&seen.credit[l + 1], |at_input| &at_input[l]));
            let at_input = raw.map(|a| state.reached_part(a));
            sums.add(l, &h, &p, &a, at_input.as_deref());
        }
    }
    let mut found = Evaluation { samples: n as u64, notes, ..sums.finish(spec.thresholds.floor) };
    let update = update_cosines(spec, learner, data, &found.gradient());
    found.series.extend([UPDATE_COSINE.series(update)]);
    // Only some rules have feedback that replaces a weight.
    let angles = feedback_angles(spec.rule.formula(), learner);
    found.series.extend(angles.map(|angles| FEEDBACK_ANGLE.series(angles)));
    found
}

/// For each unit, the cosine between the optimiser's gradient and the true gradient of the mean loss, over one batch of
/// samples: over all 1,280 it would cost 3 % of an epoch on CIFAR-10. `gradient` is the median ‖p‖ at each unit's output.
fn update_cosines(
    spec: &RunSpec,
    learner: &Learner<f32, Net>,
    data: &Dataset,
    gradient: &[f64],
) -> Vec<Measured> {
    let blocks = learner.net.shape().blocks;
    let samples = spec.batch.min(spec.eval_samples);
    let mut chunk = learner.chunk(samples);
    testing(data, 0..samples, &mut chunk);
    let seen = signals(learner, &mut chunk, spec.batch);
    let [update, reference] = learner.gradients(&mut chunk, &seen);
    let units = std::iter::once(Unit::Embed).chain((0..blocks).map(Unit::Block));
    let cosine = |(unit, &p): (Unit, &f64)| {
        let range = learner.net.layout().unit(unit);
        let trains = !matches!(unit, Unit::Block(l) if !learner.modifiers.trains(l, blocks));
        if range.is_empty() || !trains {
            return Measured::Undefined { why: Why::NotTrained };
        }
        let mut cosine = CosineMean::default();
        cosine.add(&update[range.clone()], &reference[range.clone()], range.len());
        cosine.finish(at_floor(p), spec.thresholds.floor)
    };
    units.zip(gradient).map(cosine).collect()
}
