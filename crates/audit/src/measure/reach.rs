//! What a step that training can take does to the loss: all parameters of a unit moved by −lr·sign of the gradient of the mean
//! loss, which is as far as AdamW goes in a step. Forward passes in f64.

use super::Samples;
use nn::{Network, Tape, Unit};
use record::audit::{Effect, Moved};
use tensor::side_by_side;

/// Samples per pass.
const ROWS: usize = 32;

/// The effect of a step of length `lr` on each unit, from the embedding up; none where the loss is 0 or not finite.
pub(super) fn effects<N: Network<f64> + Sync>(
    net: &N,
    params: &[f64],
    gradient: &[f64],
    samples: Samples<'_>,
    lr: f64,
    threads: usize,
) -> Vec<Option<Effect>> {
    let units = net.shape().blocks + 1;
    let mut moved = params.to_vec();
    for index in 0..units {
        let range = net.layout().unit(index.checked_sub(1).map_or(Unit::Embed, Unit::Block));
        for (w, g) in moved[range.clone()].iter_mut().zip(&gradient[range]) {
            *w -= if *g == 0.0 { 0.0 } else { lr * g.signum() };
        }
    }
    let inputs = net.shape().inputs;
    let chunks = samples.x.chunks(ROWS * inputs).zip(samples.labels.chunks(ROWS));
    let chunks: Vec<Samples<'_>> = chunks.map(|(x, labels)| Samples { x, labels }).collect();
    let each = chunks.len().div_ceil(threads.max(1)).max(1);
    let sums = side_by_side(chunks.chunks(each), |chunks| {
        let mut tape = net.tape(ROWS);
        tape.set_training(false);
        chunks.iter().map(|&chunk| losses(net, params, &moved, chunk, &mut tape)).collect::<Vec<_>>()
    });
    // Chunks are added in their order, whoever computed them.
    let mut total = vec![0.0; units + 1];
    for chunk in sums.iter().flatten() {
        total.iter_mut().zip(chunk).for_each(|(sum, loss)| *sum += loss);
    }
    let mean = |sum: f64| sum / samples.labels.len() as f64;
    let before = mean(total[0]);
    let effect = |&after: &f64| {
        let share = (mean(after) - before) / before;
        share.is_finite().then_some(Effect { moved: Moved::Parameters, step: lr, share })
    };
    total[1..].iter().map(effect).collect()
}

/// The summed losses of some samples: with the parameters as they are, then with those of one unit moved, for each unit. What
/// lies below the unit is not computed again.
fn losses<N: Network<f64>>(
    net: &N,
    params: &[f64],
    moved: &[f64],
    samples: Samples<'_>,
    tape: &mut N::Tape,
) -> Vec<f64> {
    let rows = samples.labels.len();
    let blocks = net.shape().blocks;
    let x: Vec<f64> = samples.x.iter().map(|&x| f64::from(x)).collect();
    let mut losses = vec![0.0; rows];
    let mut rest = |from: usize, tape: &mut N::Tape| {
        (from..blocks).for_each(|l| net.block(params, l, tape));
        net.head(params, tape);
        net.loss(tape, samples.labels, &mut losses);
        losses.iter().sum::<f64>()
    };
    net.embed(params, &x, rows, tape);
    let mut sums = vec![rest(0, tape)];
    let h: Vec<Vec<f64>> = (0..blocks).map(|l| tape.hidden(l).to_vec()).collect();
    net.embed(moved, &x, rows, tape);
    sums.push(rest(0, tape));
    for (l, h) in h.iter().enumerate() {
        tape.place(l, h);
        net.block(moved, l, tape);
        sums.push(rest(l + 1, tape));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use nn::{Architecture, Mlp, MlpSpec};
    use rules::{Bp, Learner, Modifiers, Normalise, signals};

    /// The gradient of the mean loss with respect to some tensors; 0 elsewhere, so that a step moves them alone.
    fn gradient(net: &Mlp, params: &[f64], samples: Samples<'_>, of: &str) -> Vec<f64> {
        let learner = Learner::<f64, Mlp>::with(
            net.clone(),
            params.to_vec(),
            Box::new(Bp),
            Normalise::None,
            Modifiers::default(),
        );
        let mut chunk = learner.chunk(samples.labels.len());
        chunk.x.iter_mut().zip(samples.x).for_each(|(wide, &x)| *wide = f64::from(x));
        chunk.labels = samples.labels.to_vec();
        let p = signals(&learner, &mut chunk, 1).p;
        let mut gradient = learner.true_gradient(&mut chunk, &p);
        for tensor in net.layout().tensors().iter().filter(|tensor| !tensor.name.contains(of)) {
            gradient[tensor.range.clone()].fill(0.0);
        }
        gradient
    }

    fn mean_loss(net: &Mlp, params: &[f64], samples: Samples<'_>) -> f64 {
        let n = samples.labels.len();
        let mut tape = net.tape(n);
        let x: Vec<f64> = samples.x.iter().map(|&x| f64::from(x)).collect();
        let mut losses = vec![0.0; n];
        net.forward(params, &x, n, &mut tape);
        net.loss(&mut tape, samples.labels, &mut losses);
        losses.iter().sum::<f64>() / n as f64
    }

    /// Under LayerNorms, states that are a thousand times as large are the same function: steps of what writes to the states do a
    /// thousandth, those of what reads them do the same. The slope of a tiny step is the sum of |gradient|.
    #[test]
    fn scaling_the_stream_takes_w2_out_of_reach_and_leaves_w1_within() {
        let net = MlpSpec { w2_std: 0.4, ..MlpSpec::resmlp(3, 8, 2, 4) }.build().expect("valid");
        let x: Vec<f32> = (0..3 * 40).map(|i| ((i * 37) as f32).sin()).collect();
        let labels: Vec<u8> = (0..40).map(|i| i % 4).collect();
        let samples = Samples { x: &x, labels: &labels };
        let scaled = |by: f64| {
            let mut params: Vec<f64> = net.initial(1);
            let writes = |name: &str| name.contains("embed") || name.contains("w2.");
            for tensor in net.layout().tensors().iter().filter(|tensor| writes(&tensor.name)) {
                params[tensor.range.clone()].iter_mut().for_each(|w| *w *= by);
            }
            params
        };
        let lr = 1e-6;
        let share = |params: &[f64], of: &str, unit: usize| {
            let gradient = gradient(&net, params, samples, of);
            let all = effects(&net, params, &gradient, samples, lr, 1);
            assert_eq!(all, effects(&net, params, &gradient, samples, lr, 3), "threads leave no trace");
            let found = all[unit].expect("a loss").share;
            let range = net.layout().unit(unit.checked_sub(1).map_or(Unit::Embed, Unit::Block));
            let slope: f64 = gradient[range].iter().map(|g| g.abs()).sum();
            let predicted = -lr * slope / mean_loss(&net, params, samples);
            assert!((found / predicted - 1.0).abs() < 1e-3, "{of}: {found:e} {predicted:e}");
            found
        };
        let small = scaled(1e2);
        let large = scaled(1e5);
        for (of, unit, expected) in
            [("embed", 0, 1e3), ("w2.", 1, 1e3), ("w2.", 2, 1e3), ("w1.", 1, 1.0), ("w1.", 2, 1.0)]
        {
            let fall = share(&small, of, unit) / share(&large, of, unit);
            assert!((fall / expected - 1.0).abs() < 1e-2, "{of} of unit {unit}: {fall}");
        }
    }
}
