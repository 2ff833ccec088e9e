//! The linear-quadratic system, where the true credit is known: bridges find it, direct feedback does not.

use nn::{Lq, LqSpec};
use rules::{Learner, Modifiers, RuleSpec, Value, signals};
use tensor::AdamW;
use tensor::random::{Purpose, Stream};

const ROWS: usize = 64;
const D: usize = 48;
const BLOCKS: usize = 4;
/// With the matching and without it.
const CREDIT_STEPS: u64 = 3500;
const WIDTH: (&str, Value) = ("rule.bridge_width", Value::Whole(128));
/// Without warm-up.
const READY: (&str, Value) = ("rule.warm_up", Value::Real(0.0));

fn cosine(a: &[f32], b: &[f32], width: usize) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
    let of = |(a, b): (&[f32], &[f32])| dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
    a.chunks_exact(width).zip(b.chunks_exact(width)).map(of).sum::<f64>() * width as f64 / a.len() as f64
}

/// Mean cosine of a_l with the costate at h_l over the layers, after so many steps.
fn alignment(rule: &str, settings: &[(&str, Value)], steps: u64, seed: u64) -> f64 {
    let system = LqSpec::new(D, BLOCKS, 10).build().expect("valid");
    let spec = RuleSpec::with(rule, settings).expect("its keys");
    let mut learner = Learner::<f32, Lq>::new(system, &spec, Modifiers::default(), seed).expect("known");
    let mut stream = Stream::new(seed + 2, Purpose::Teacher);
    let mut chunk = learner.chunk(ROWS);
    chunk.labels = vec![0; ROWS];
    for t in 1..=steps {
        chunk.x.fill_with(|| stream.normal() as f32);
        learner.learn(&mut chunk, ROWS, t);
        let optimiser = AdamW { lr: 1e-3, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
        learner.descend(t, optimiser, std::slice::from_ref(&chunk), 1).expect("finite gradients");
    }
    chunk.x.fill_with(|| stream.normal() as f32);
    let seen = signals(&learner, &mut chunk, ROWS);
    let all: Vec<f64> = (0..BLOCKS).map(|l| cosine(&seen.credit[l + 1], &seen.p[l], D)).collect();
    all.iter().sum::<f64>() / BLOCKS as f64
}

/// A single draw of feedback has a cosine of some 1/√(d·outputs) at each layer; over many it is 0.
#[test]
fn direct_feedback_does_not_find_the_costate() {
    let draws: Vec<f64> = (0..16).map(|seed| alignment("dfa", &[], 0, seed)).collect();
    let mean = draws.iter().sum::<f64>() / draws.len() as f64;
    assert!(mean.abs() <= 0.05, "{draws:?}");
    assert!(draws.iter().all(|draw| draw.abs() <= 0.15), "{draws:?}");
}

#[test]
fn the_state_bridge_finds_the_costate() {
    let found = alignment("state_bridge", &[WIDTH], 1500, 7);
    assert!(found >= 0.9, "{found}");
}

#[test]
fn the_credit_bridge_finds_the_costate() {
    let found = alignment("credit_bridge", &[WIDTH, READY], CREDIT_STEPS, 7);
    assert!(found >= 0.9, "{found}");
}

/// Without the gradient at the end to match, values alone say nothing about directions, in as many steps on the same samples.
#[test]
fn a_credit_bridge_that_matches_nothing_does_not() {
    let blind = ("rule.matching", Value::Real(0.0));
    let found = alignment("credit_bridge", &[WIDTH, READY, blind], CREDIT_STEPS, 7);
    assert!(found.abs() < 0.3, "{found}");
}
