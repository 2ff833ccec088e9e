//! Bridges: credit is the slope of a prediction's loss or of a value, by central differences of what is written out here once more;
//! and a net that is not the saved one is found.

use crate::kinds::{SIZES, Sizes, WIDTH, networks};
use crate::planted::named;
use crate::run::Run;
use nn::{Network, Tape};
use record::Unit;
use record::audit::{Consistency, Fault, Site};
use tensor::in_panels;

const BRIDGES: [&str; 4] =
    ["state_bridge error", "state_bridge gradient", "credit_bridge error", "credit_bridge gradient"];

/// z = W·x + b for each layer of the saved net, with GELU between them.
fn outputs(run: &Run, net: &[f64], x: &[f64]) -> Vec<f64> {
    let last = if run.rule.starts_with("state") { SIZES.d } else { run.blocks() + 2 };
    let mut x = x.to_vec();
    let mut start = 0;
    for (layer, outputs) in [WIDTH, WIDTH, last].into_iter().enumerate() {
        let inputs = x.len();
        let bias = start + inputs * outputs;
        let z = |output: usize| {
            let weight = |input: usize| net[start + in_panels(inputs, outputs, input, output)];
            net[bias + output] + (0..inputs).map(|input| weight(input) * x[input]).sum::<f64>()
        };
        let gelu = |z: f64| 0.5 * z * (1.0 + libm::erf(z / 2f64.sqrt()));
        x = (0..outputs).map(z).map(|z| if layer < 2 { gelu(z) } else { z }).collect();
        start = bias + outputs;
    }
    assert_eq!(start, net.len(), "every value has its place");
    x
}

/// The loss of a last state by the f64 network, and e_T.
fn loss(run: &Run, params: &[f64], h: &[f64]) -> (f64, Vec<f64>) {
    let mut tape = Network::<f64>::tape(&run.learner.net, 1);
    tape.place(run.blocks(), h);
    run.learner.net.head(params, &mut tape);
    let z = tape.logits();
    let label = usize::from(run.labels[0]);
    let sum = z.iter().map(|z| z.exp()).sum::<f64>();
    let error = |(class, z): (usize, &f64)| z.exp() / sum - if class == label { 1.0 } else { 0.0 };
    (sum.ln() - z[label], z.iter().enumerate().map(error).collect())
}

/// The gradient at a state by central differences.
fn slope(h: &[f64], of: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let along = |i: usize, step: f64| {
        let mut h = h.to_vec();
        h[i] += step;
        of(&h)
    };
    (0..h.len()).map(|i| (along(i, 1e-5) - along(i, -1e-5)) / 2e-5).collect()
}

/// The credit of all units of one sample, by the definition.
fn defined(run: &Run) -> Vec<Vec<f32>> {
    let wide = |values: &[f32]| values.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
    let net = &run.learner.net;
    let params = wide(&run.learner.params);
    let blocks = run.blocks();
    let mut tape = Network::<f64>::tape(net, 1);
    net.forward(&params, &wide(&run.x), 1, &mut tape);
    let told = if run.rule.ends_with("error") {
        loss(run, &params, tape.hidden(blocks)).1
    } else {
        let p = slope(tape.hidden(blocks), |h| loss(run, &params, h).0);
        let rms = (p.iter().map(|p| p * p).sum::<f64>() / p.len() as f64).sqrt();
        p.iter().map(|p| p / rms).collect()
    };
    let tensors = run.tensors();
    let objective = |l: usize, h: &[f64]| {
        let mean = h.iter().sum::<f64>() / h.len() as f64;
        let variance = h.iter().map(|h| (h - mean).powi(2)).sum::<f64>() / h.len() as f64;
        let mut x: Vec<f64> = h.iter().map(|h| (h - mean) / (variance + 1e-5).sqrt()).collect();
        let angle = std::f64::consts::PI * l as f64 / blocks as f64;
        x.extend([1.0, 2.0, 4.0, 8.0].into_iter().flat_map(|k| [(k * angle).sin(), (k * angle).cos()]));
        x.extend(&told);
        let out = outputs(run, &tensors["rule.net"].values, &x);
        if run.rule.starts_with("credit") {
            return out[0] + out[1 + l];
        }
        let scale = tensors["rule.scale"].values[0];
        loss(run, &params, &out.iter().map(|out| scale * out).collect::<Vec<f64>>()).0
    };
    let block = |l: usize| slope(tape.hidden(l), |h| objective(l, h)).iter().map(|&a| a as f32).collect();
    let mut credit: Vec<Vec<f32>> = (0..blocks).map(block).collect();
    credit.insert(0, credit[0].clone());
    credit
}

#[test]
fn credit_is_the_slope_of_what_the_definition_says() {
    for (rule, net) in BRIDGES.iter().flat_map(|rule| (1..=4).flat_map(networks).map(move |net| (rule, net)))
    {
        for seed in 0..3 {
            let run = Run::new(net.clone(), rule, 0.0, Sizes { rows: 1, ..SIZES }, seed);
            let outcome = run.compare(&defined(&run));
            assert!(matches!(outcome, Consistency::Agrees { .. }), "{rule}, {net:?}, {seed}: {outcome:?}");
        }
    }
}

/// What is said where training used another net than was saved.
fn with_net(run: &mut Run, change: impl FnOnce(&mut [f32])) -> Consistency {
    let tensors = run.tensors();
    change(&mut run.learner.rule.saved_mut()[0].values);
    run.compare_with(&tensors, &run.healthy())
}

/// A weight of the first layer acts at all times, so nothing less than the bridge as a whole is another one.
#[test]
fn a_weight_that_is_not_the_saved_one_is_found() {
    for (rule, net) in BRIDGES.iter().flat_map(|rule| (1..=4).flat_map(networks).map(move |net| (rule, net)))
    {
        let mut run = Run::new(net.clone(), rule, 0.0, SIZES, 53);
        let blocks = run.blocks();
        let outcome = with_net(&mut run, |net| net[0] += 0.5);
        let Consistency::Differs { findings } = outcome else { panic!("{rule}, {net:?}: {outcome:?}") };
        let found: Vec<_> = findings.iter().map(|f| (f.unit, &f.fault)).collect();
        let whole = if blocks == 1 {
            (Unit::Block(0).into(), &Fault::Unexplained)
        } else {
            (Site::Feedback, &Fault::FeedbackNotSaved)
        };
        assert_eq!(found, [whole], "{rule}, {net:?}");
    }
}

/// The value has a separate output for each time, whose weights act there and nowhere else.
#[test]
fn a_weight_of_one_time_is_found_at_its_block() {
    for (rule, net) in BRIDGES[2..].iter().flat_map(|rule| networks(3).map(move |net| (rule, net))) {
        for l in 0..3 {
            let mut run = Run::new(net.clone(), rule, 0.0, SIZES, 59);
            let outputs = 5;
            let length = run.tensors()["rule.net"].values.len();
            let last = length - (WIDTH + 1) * outputs;
            let outcome = with_net(&mut run, |net| net[last + in_panels(WIDTH, outputs, 4, 1 + l)] += 0.5);
            named(outcome, l + 1, &Fault::Unexplained, &format!("{rule}, {net:?}, time {l}"));
        }
        // h_L has a time too, at which the value is learned and no credit is given.
        let mut run = Run::new(net.clone(), rule, 0.0, SIZES, 59);
        let outcome = with_net(&mut run, |net| net[net.len() - (WIDTH + 1) * 5 + 4] += 0.5);
        assert!(matches!(outcome, Consistency::Agrees { .. }), "{rule}, {net:?}: {outcome:?}");
    }
}

/// Told otherwise than the recipe says, where the sizes cannot tell.
#[test]
fn the_other_condition_is_found() {
    for rule in BRIDGES {
        let inputs = SIZES.inputs;
        let d = SIZES.d;
        let rows = SIZES.rows;
        let mut run = Run::new(networks(3)[0].clone(), rule, 0.0, Sizes { inputs, d, classes: d, rows }, 61);
        let tensors = run.tensors();
        let credit = run.healthy();
        assert!(matches!(run.compare_with(&tensors, &credit), Consistency::Agrees { .. }), "{rule}");
        run.rule = BRIDGES[BRIDGES.iter().position(|other| *other == rule).expect("one of them") ^ 1];
        let outcome = run.compare_with(&tensors, &credit);
        assert!(matches!(outcome, Consistency::Differs { .. }), "{rule}: {outcome:?}");
    }
}

/// A LayerNorm of two values lets no gradient through, so that p_L is rounding, and a bridge gets its direction at full length.
#[test]
fn a_direction_that_is_rounding_accuses_nobody() {
    for (rule, seed) in BRIDGES.iter().flat_map(|rule| (0..300).map(move |seed| (rule, seed))) {
        let mut run = Run::new(networks(3)[0].clone(), rule, 0.0, Sizes { d: 2, rows: 1, ..SIZES }, seed);
        run.scale("w2.weight", 1e6);
        run.scale("out_head.weight", 100.0);
        let outcome = run.compare(&run.healthy());
        assert!(!matches!(outcome, Consistency::Differs { .. }), "{rule}, {seed}: {outcome:?}");
    }
}
