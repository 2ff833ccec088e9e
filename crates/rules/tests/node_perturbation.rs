//! Node perturbation is the gradient plus noise whose law is known.
//!
//! With a loss that is linear over the reach of the noise, the mean of K draws is p̂·Σx²/K + Σx·η/K, where x is the part of ξ
//! along p and η the rest, each independent and Gaussian. So the squared cosine with p is χ²_K/(χ²_K + χ²_{d−1}), a Beta(K/2,
//! (d−1)/2) variable, whatever the network, and the length along p has the mean ‖p‖ and the relative variance 2/K.

use nn::{Architecture, Mlp, MlpSpec, Network, Tape};
use rules::{Chunk, Learner, Modifiers, Rule, RuleSpec, Value, credits, signals};
use tensor::Float;
use tensor::random::{Purpose, Stream};

const D: usize = 64;
const BLOCKS: usize = 2;
const SAMPLES: usize = 32;
/// Draws in all.
const DRAWS: usize = 256;

/// A network whose blocks are linear, in f64, with noise so small that the softmax is linear too.
fn learner(seed: u64) -> Learner<f64, Mlp> {
    let net = MlpSpec { w2_std: 0.1, ..MlpSpec::student(12, D, BLOCKS, 5, 0.0) }.build().expect("valid");
    let rule = RuleSpec::with("node_perturbation", &[("rule.sigma", Value::Real(1e-4))]).expect("its key");
    Learner::new(net, &rule, Modifiers::default(), seed).expect("it fits")
}

fn chunk(learner: &Learner<f64, Mlp>, samples: usize) -> Chunk<f64, Mlp> {
    let mut stream = Stream::new(9, Purpose::Teacher);
    let mut chunk = learner.chunk(samples);
    chunk.x.fill_with(|| stream.normal());
    chunk.labels = (0..samples).map(|_| stream.below(5) as u8).collect();
    chunk
}

fn fresh<N: Network<f64>>(learner: &Learner<f64, N>, draw: usize) -> Box<dyn Rule<f64, N>> {
    learner.rule.fresh_draw(draw as u64).expect("it draws anew")
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn the_mean_of_many_draws_tends_to_the_gradient_at_the_rate_of_gaussian_noise() {
    let learner = learner(3);
    let mut chunk = chunk(&learner, SAMPLES);
    let p = signals(&learner, &mut chunk, SAMPLES).p;
    let labels = chunk.labels.clone();
    let draw = |k: usize, chunk: &mut _| credits(&*fresh(&learner, k), &learner, chunk, &labels, SAMPLES);
    let drawn: Vec<Vec<Vec<f64>>> = (0..DRAWS).map(|k| draw(k, &mut chunk)).collect();
    for unit in 0..=BLOCKS {
        for k in [1, 16, 256] {
            let mut cosines = Vec::new();
            let mut lengths = Vec::new();
            for group in drawn.chunks_exact(k) {
                for sample in 0..SAMPLES {
                    let row = |values: &[f64]| values[sample * D..][..D].to_vec();
                    let mut a = vec![0.0; D];
                    for credit in group {
                        a.iter_mut().zip(row(&credit[unit])).for_each(|(a, x)| *a += x / k as f64);
                    }
                    let p = row(&p[unit]);
                    cosines.push(dot(&a, &p) / (dot(&a, &a) * dot(&p, &p)).sqrt());
                    lengths.push(dot(&a, &p) / dot(&p, &p));
                }
            }
            let case = format!("unit {unit}, {k} draws");
            let n = cosines.len() as f64;
            let draws = k as f64;
            let d = D as f64;
            // Five standard errors of a Beta variable over n independent samples and groups.
            let square = draws / (draws + d - 1.0);
            let variance = square * (1.0 - square) * 2.0 / (draws + d + 1.0);
            let found = mean(&cosines.iter().map(|c| c * c).collect::<Vec<_>>());
            assert!((found - square).abs() < 5.0 * (variance / n).sqrt(), "{case}: {found} for {square}");
            // No length is lost. The softmax is linear up to σ².
            let length = mean(&lengths);
            assert!((length - 1.0).abs() < 5.0 * (2.0 / (draws * n)).sqrt(), "{case}: length {length}");
            // The rule of thumb. A single draw is |x|/‖ξ‖, whose mean is √(2/π) of its root mean square.
            let thumb = (draws / (draws + d + 1.0)).sqrt() * if k == 1 { 0.7979 } else { 1.0 };
            let cosine = mean(&cosines);
            let error = 0.02 * thumb + 5.0 * (variance / (4.0 * square * n)).sqrt();
            assert!((cosine - thumb).abs() < error, "{case}: {cosine} for {thumb} ± {error}");
        }
    }
}

/// Noise is a function of seed, step or draw, sample and unit, and of nothing else.
#[test]
fn noise_is_reproducible_and_drawn_anew() {
    let one = learner(3);
    let used = |learner: &Learner<f64, Mlp>, t: u64, samples: usize| {
        let mut chunk = chunk(learner, samples);
        // The same sample throughout: only noise can differ.
        let first: Vec<f64> = chunk.x[..12].to_vec();
        chunk.x.chunks_exact_mut(12).for_each(|x| x.copy_from_slice(&first));
        chunk.labels.fill(1);
        chunk.used = Some(Vec::new());
        learner.learn(&mut chunk, samples, t);
        chunk.used.take().expect("recorded")
    };
    let first = used(&one, 1, 3);
    assert_eq!(first, used(&one, 1, 3), "the same step");
    assert_eq!(first, used(&learner(3), 1, 3), "the same seed");
    for (unit, credit) in first.iter().enumerate() {
        assert_eq!(credit[..2 * D], used(&one, 1, 2)[unit], "whatever the batch goes on with");
        assert_ne!(credit[..D], credit[D..2 * D], "unit {unit}: samples");
        assert_ne!(*credit, used(&one, 2, 3)[unit], "unit {unit}: steps");
    }
    let mut other_seed = learner(3);
    other_seed.rule = learner(4).rule;
    assert_ne!(first, used(&other_seed, 1, 3), "seeds");
    let mut chunk = chunk(&one, 2);
    let measured = signals(&one, &mut chunk, 2).credit;
    assert_eq!(measured, signals(&one, &mut chunk, 2).credit, "a measurement is repeatable");
    let labels = chunk.labels.clone();
    let mut draw = |k: usize| credits(&*fresh(&one, k), &one, &mut chunk, &labels, 2);
    let draws = [draw(0), draw(1), draw(64)];
    assert_eq!(draws[0], draw(0));
    assert!(draws.iter().all(|draw| *draw != measured) && draws[0] != draws[1] && draws[1] != draws[2]);
}

/// Credit of four samples in a network whose states and logits are multiplied by these factors, labelled as it classifies them.
fn enlarged<T: Float>(states: f64, logits: f64) -> Vec<Vec<f64>> {
    let net = MlpSpec::resmlp(12, D, BLOCKS, 5).build().expect("valid");
    let mut learner =
        Learner::<T, Mlp>::new(net, &"node_perturbation".into(), Modifiers::default(), 3).expect("it fits");
    for tensor in learner.net.layout().tensors() {
        let state = tensor.name.starts_with("embed.") || tensor.name.contains(".w2.");
        let factor = if state { states } else { logits };
        if state || tensor.name.starts_with("out_head.") {
            learner.params[tensor.range.clone()].iter_mut().for_each(|w| *w *= T::of(factor));
        }
    }
    let mut stream = Stream::new(9, Purpose::Teacher);
    let mut chunk = learner.chunk(4);
    chunk.x.fill_with(|| T::of(stream.normal()));
    chunk.labels = vec![0; 4];
    learner.forward(&mut chunk);
    let logits: Vec<f64> = chunk.tape().logits().iter().map(|z| z.to_f64()).collect();
    let largest = |z: &[f64]| (0..5u8).max_by(|&a, &b| z[usize::from(a)].total_cmp(&z[usize::from(b)]));
    chunk.labels = logits.chunks_exact(5).filter_map(largest).collect();
    let credit = signals(&learner, &mut chunk, 4).credit;
    credit.iter().map(|a| a.iter().map(|a| a.to_f64()).collect()).collect()
}

/// σ is a share of the state, and the loss is taken in f64. So f32 gives what f64 gives, for states of any size and for samples
/// that are almost solved.
#[test]
fn noise_does_not_drown_in_rounding() {
    for (states, logits) in [(1.0, 1.0), (1e4, 1.0), (1e8, 1.0), (1.0, 30.0)] {
        let exact = enlarged::<f64>(states, logits);
        for (unit, (single, double)) in enlarged::<f32>(states, logits).iter().zip(exact).enumerate() {
            let difference: Vec<f64> = single.iter().zip(&double).map(|(a, b)| a - b).collect();
            let relative = (dot(&difference, &difference) / dot(&double, &double)).sqrt();
            assert!(relative < 1e-2, "unit {unit}, states times {states}, logits times {logits}: {relative}");
        }
    }
}
