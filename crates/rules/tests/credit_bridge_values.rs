//! What the credit bridge's net is taught about values: a soft minimum over noisy copies of the next state.
//!
//! Its net is planted such that the lesson can be read backwards. V is 0 everywhere, and before it hidden unit i answers to
//! sample i alone, by A: so the gradient of the weight from there to the output of time l is −2A/N times what V(h_l) is to follow
//! at sample i, all losses being 1. The slow copy is planted such that V̄ is one value of LN(h), plus some for the time.

use nn::{MlpSpec, Network, Tape};
use rules::{BatchView, Credit, Given, RuleGradient, RuleSpec, Value};
use tensor::in_panels;
use tensor::random::{Purpose, Stream};

const D: usize = 12;
const BLOCKS: usize = 2;
/// Samples, and as many classes and hidden units.
const N: usize = 16;
/// Inputs, two hidden layers, outputs: LN(h), 8 features of the time and e_T; one value for all times and one for each.
const SIZES: [usize; 4] = [D + 8 + N, N, N, BLOCKS + 2];
/// GELU is the identity up here, and 0 as far below.
const A: f64 = 64.0;
/// What V̄ has in addition at each next time.
const LATER: f64 = 0.1;

/// Where a weight lies in the flat vector; the input after the last is the bias.
fn at(layer: usize, input: usize, output: usize) -> usize {
    let start: usize = (0..layer).map(|layer| (SIZES[layer] + 1) * SIZES[layer + 1]).sum();
    let (inputs, outputs) = (SIZES[layer], SIZES[layer + 1]);
    start + if input < inputs { in_panels(inputs, outputs, input, output) } else { inputs * outputs + output }
}

/// V.
fn fast(values: &mut [f64]) {
    values.fill(0.0);
    for i in 0..N {
        values[at(0, D + 8 + i, i)] = A;
        values[at(1, i, i)] = 1.0;
    }
}

/// V̄(h, time l/L) = factor·(LN(h)[unit] + l·LATER).
fn slow(values: &mut [f64], unit: usize, factor: f64) {
    values.fill(0.0);
    (values[at(0, unit, 0)], values[at(0, SIZES[0], 0)]) = (1.0, A);
    values[at(1, 0, 0)] = 1.0;
    (values[at(2, 0, 0)], values[at(2, N, 0)]) = (factor, -factor * A);
    (0..=BLOCKS).for_each(|l| values[at(2, N, 1 + l)] = factor * LATER * l as f64);
}

/// States h_0 … h_L with a mean, in three sizes.
fn states() -> Vec<Vec<f64>> {
    let mut stream = Stream::new(9, Purpose::Teacher);
    let mut state = |i: usize| [0; D].map(|_| size(i) * (1.0 + stream.normal()));
    (0..=BLOCKS).map(|_| (0..N).flat_map(&mut state).collect()).collect()
}

fn size(sample: usize) -> f64 {
    [1.0, 10.0, 100.0][sample % 3]
}

/// Copies of the next state, their noise, and the temperature of the soft minimum.
#[derive(Clone, Copy)]
struct Copies {
    copies: i64,
    noise: f64,
    temperature: f64,
}

/// What V(h_l) is to follow at step `t`, for l < L and each sample, where V̄ reads `unit`.
fn targets(spec: Copies, (seed, t): (u64, u64), unit: usize, factor: f64) -> Vec<f64> {
    let net = MlpSpec::resmlp(3, D, BLOCKS, N).build().expect("valid");
    let settings = [
        ("rule.bridge_width", Value::Whole(N as i64)),
        ("rule.matching", Value::Real(0.0)),
        ("rule.copies", Value::Whole(spec.copies)),
        ("rule.noise", Value::Real(spec.noise)),
        ("rule.temperature", Value::Real(spec.temperature)),
    ];
    let spec = RuleSpec::with("credit_bridge", &settings).expect("its keys");
    let params: Vec<f64> = net.initial(1);
    let mut rule = rules::build(&spec, &net, &params, seed).expect("known");
    for saved in rule.saved_mut() {
        match saved.name.as_str() {
            "rule.net" => fast(&mut saved.values),
            "rule.slow" => slow(&mut saved.values, unit, factor),
            _ => {}
        }
    }
    let mut tape = Network::<f64>::tape(&net, N);
    states().iter().enumerate().for_each(|(l, h)| tape.place(l, h));
    let e: Vec<f64> = (0..N * N).map(|i| if i / N == i % N { 1.0 } else { -1.0 }).collect();
    let p_last = [0.0; N * D];
    let (net, params, x, tape, labels) = (&net, &params[..], &[][..], &tape, &[0; N][..]);
    let batch =
        BatchView { net, params, x, tape, labels, losses: &[1.0; N], e: &e, p_last: &p_last, samples: N };
    let Credit::Given(rule) = rule.credit() else { panic!("it gives credit") };
    let mut gradient = RuleGradient { t, values: vec![0.0; rule.own_parameters()], observed: 0.0 };
    let mut credit = vec![vec![0.0; N * D]; BLOCKS + 1];
    rule.give(&batch, Given { credit: &mut credit, gradient: Some(&mut gradient), report: None });
    let target = |i: usize| -gradient.values[at(2, i % N, 1 + i / N)] * N as f64 / (2.0 * A);
    (0..BLOCKS * N).map(target).collect()
}

/// The states that are copied, h_1 … h_L, sample after sample.
fn copied() -> Vec<Vec<f64>> {
    states()[1..].iter().flat_map(|h| h.chunks_exact(D).map(<[f64]>::to_vec)).collect()
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// h less its mean.
fn centred(h: &[f64]) -> Vec<f64> {
    let middle = mean(h.iter().copied());
    h.iter().map(|x| x - middle).collect()
}

#[test]
fn without_noise_a_value_follows_that_of_the_next_state_at_its_time() {
    let quiet = Copies { copies: 3, noise: 0.0, temperature: 0.1 };
    let found = targets(quiet, (5, 3), 4, 3.0);
    for (i, (h, found)) in copied().iter().zip(found).enumerate() {
        let h = centred(h);
        let deviation = (mean(h.iter().map(|x| x * x)) + 1e-5).sqrt();
        let want = 3.0 * (h[4] / deviation + (1 + i / N) as f64 * LATER);
        assert!((found - want).abs() < 1e-11, "layer {}, sample {}: {found} {want}", i / N, i % N);
    }
}

/// Of three copies a soft minimum tells all: without temperature the least, of −V̄ the largest, at a great one the mean. With
/// those, what it comes to at .1 follows from its formula.
#[test]
fn a_value_follows_the_soft_minimum_over_three_noisy_copies() {
    let soft = |temperature: f64, factor: f64| {
        let spec = Copies { copies: 3, noise: 0.1, temperature };
        targets(spec, (5, 3), 4, factor)
    };
    let limits = soft(1e-9, 3.0).into_iter().zip(soft(1e-9, -3.0)).zip(soft(1e7, 3.0));
    for (((least, negative), mean), found) in limits.zip(soft(0.1, 3.0)) {
        let copies = [least, 3.0 * mean - least + negative, -negative];
        assert!(copies.windows(2).all(|pair| pair[1] - pair[0] > 1e-4), "no two are alike: {copies:?}");
        let want = -0.1 * (copies.map(|v| (-v / 0.1).exp()).iter().sum::<f64>() / 3.0).ln();
        assert!((found - want).abs() < 1e-6, "{found}, of {copies:?}: {want}");
    }
}

/// LN of the one noisy copy of each of h_1 … h_L.
fn noisy(seed: u64, t: u64) -> Vec<[f64; D]> {
    let spec = Copies { copies: 1, noise: 0.1, temperature: 0.1 };
    let read: Vec<Vec<f64>> = (0..D).map(|unit| targets(spec, (seed, t), unit, 1.0)).collect();
    let value = |unit: usize, i: usize| read[unit][i] - (1 + i / N) as f64 * LATER;
    (0..BLOCKS * N).map(|i| std::array::from_fn(|unit| value(unit, i))).collect()
}

#[test]
fn noise_belongs_to_its_seed_and_step() {
    let here = noisy(5, 3);
    assert_eq!(here, noisy(5, 3));
    for other in [noisy(5, 4), noisy(6, 3)] {
        assert!(here.iter().flatten().zip(other.iter().flatten()).all(|(a, b)| (a - b).abs() > 1e-9));
    }
}

/// LN(h + ν) is h + ν less its mean, over a factor that its part along h tells: ν but for two of its D degrees of freedom, which
/// V̄ cannot see either. It is a tenth of h's own root mean square, mean included, and has no direction.
#[test]
fn noise_is_a_tenth_of_the_root_mean_square_of_its_state() {
    let (steps, states) = (16, copied());
    let (mut squares, mut sums) = ([0.0; 3], [0.0; D]);
    for t in 1..=steps {
        for (i, (h, read)) in states.iter().zip(noisy(5, t)).enumerate() {
            let (rms, h) = (mean(h.iter().map(|x| x * x)).sqrt(), centred(h));
            let along = |other: &[f64]| h.iter().zip(other).map(|(h, x)| h * x).sum::<f64>();
            let factor = along(&read) / along(&h);
            for ((sum, read), h) in sums.iter_mut().zip(read).zip(&h) {
                let noise = (read / factor - h) / rms;
                squares[i % N % 3] += noise * noise;
                *sum += noise;
            }
        }
    }
    // Five standard errors of each estimate.
    for (size, squares) in squares.iter().enumerate() {
        let alike = (0..BLOCKS * N).filter(|i| i % N % 3 == size).count() as f64;
        let free = alike * steps as f64 * (D - 2) as f64;
        let std = (squares / free).sqrt();
        assert!((std / 0.1 - 1.0).abs() < 5.0 / (2.0 * free).sqrt(), "size {size}: {std}");
    }
    let count = (steps as usize * states.len()) as f64;
    sums.iter().for_each(|sum| assert!((sum / count).abs() < 5.0 * 0.1 / count.sqrt(), "{}", sum / count));
}
