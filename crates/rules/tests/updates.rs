//! The parameter gradients that a rule's credit and the true gradient lead to, against differences of plain forward passes
//! and against what training itself hands to the optimiser.

use nn::{Architecture, Mlp, MlpSpec, Network, Tape, Unit};
use rules::{Chunk, Learner, Modifiers, signals};
use tensor::random::{Purpose, Stream};

const ROWS: usize = 5;

fn learner(rule: &str, modifiers: Modifiers) -> Learner<f64, Mlp> {
    let net = MlpSpec { w2_std: 0.3, ..MlpSpec::resmlp(4, 6, 3, 3) }.build().expect("valid");
    Learner::new(net, &rule.into(), modifiers, 5).expect("known")
}

fn chunk(learner: &Learner<f64, Mlp>) -> Chunk<f64, Mlp> {
    let mut chunk = learner.chunk(ROWS);
    let mut stream = Stream::new(9, Purpose::Teacher);
    chunk.x.iter_mut().for_each(|x| *x = stream.normal());
    chunk.labels = (0..ROWS).map(|_| stream.below(3) as u8).collect();
    chunk
}

/// What the signals of a rule lead to: of its credit, and of p.
fn gradients(learner: &Learner<f64, Mlp>) -> [Vec<f64>; 2] {
    let mut chunk = chunk(learner);
    let seen = signals(learner, &mut chunk, ROWS);
    learner.gradients(&mut chunk, &seen)
}

fn units(learner: &Learner<f64, Mlp>) -> Vec<std::ops::Range<usize>> {
    let all = [Unit::Embed, Unit::Block(0), Unit::Block(1), Unit::Block(2)];
    all.map(|unit| learner.net.layout().unit(unit)).into()
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// The gradient of a function of the parameters of a unit by central differences.
fn differences(params: &[f64], range: std::ops::Range<usize>, f: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let step = 1e-5;
    let at = |i: usize, by: f64| {
        let mut moved = params.to_vec();
        moved[i] += by;
        f(&moved)
    };
    range.map(|i| (at(i, step) - at(i, -step)) / (2.0 * step)).collect()
}

fn close(found: &[f64], wanted: &[f64], within: f64, what: &str) {
    let size = wanted.iter().map(|x| x * x).sum::<f64>().sqrt();
    let off = found.iter().zip(wanted).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    assert!(size > 1e-6 && off < within * size, "{what}: {off:e} of {size:e}");
}

#[test]
fn the_second_is_the_gradient_of_the_mean_loss() {
    for rule in ["bp", "dfa", "kolen_pollack"] {
        let learner = learner(rule, Modifiers::default());
        let samples = chunk(&learner);
        let loss = |params: &[f64]| {
            let mut tape = learner.net.tape(ROWS);
            let mut losses = [0.0; ROWS];
            learner.net.forward(params, &samples.x, ROWS, &mut tape);
            learner.net.loss(&mut tape, &samples.labels, &mut losses);
            losses.iter().sum::<f64>() / ROWS as f64
        };
        let [_, gradient] = gradients(&learner);
        for range in units(&learner) {
            let wanted = differences(&learner.params, range.clone(), loss);
            close(&gradient[range], &wanted, 1e-7, rule);
        }
    }
}

#[test]
fn the_first_is_the_gradient_of_what_each_unit_descends() {
    for rule in ["fa", "dfa", "sign_symmetry"] {
        let learner = learner(rule, Modifiers::default());
        let mut samples = chunk(&learner);
        let seen = signals(&learner, &mut samples, ROWS);
        let [update, _] = learner.gradients(&mut samples, &seen);
        for (unit, range) in units(&learner).into_iter().enumerate() {
            // ⟨h_0, â⟩ or ⟨f_l(h_l), â⟩ with h_l held, mean over samples; â is a over its root mean square in each sample.
            let width = learner.net.state(unit).width();
            let objective = |params: &[f64]| {
                let mut tape = learner.net.tape(ROWS);
                let output = match unit.checked_sub(1) {
                    None => {
                        learner.net.embed(params, &samples.x, ROWS, &mut tape);
                        tape.hidden(0)
                    }
                    Some(l) => {
                        tape.place(l, samples.tape().hidden(l));
                        learner.net.block(params, l, &mut tape);
                        tape.branch(l)
                    }
                };
                let rows = output.chunks_exact(width).zip(seen.credit[unit].chunks_exact(width));
                let of_row = |(f, a): (&[f64], &[f64])| {
                    let rms = (a.iter().map(|a| a * a).sum::<f64>() / width as f64).sqrt();
                    f.iter().zip(a).map(|(f, a)| f * a / (rms + 1e-6)).sum::<f64>()
                };
                rows.map(of_row).sum::<f64>() / ROWS as f64
            };
            let wanted = differences(&learner.params, range.clone(), objective);
            close(&update[range], &wanted, 1e-7, &format!("{rule}, unit {unit}"));
        }
    }
}

#[test]
fn the_first_is_what_training_hands_to_the_optimiser_but_for_the_penalty() {
    for rule in ["bp", "fa", "dfa", "kolen_pollack"] {
        for penalty in [0.0, 0.1] {
            let learner = learner(rule, Modifiers { penalty, ..Modifiers::default() });
            let trained = |penalty: f64| {
                let mut twin = self::learner(rule, Modifiers { penalty, ..Modifiers::default() });
                twin.params.clone_from(&learner.params);
                let mut chunk = chunk(&twin);
                twin.learn(&mut chunk, ROWS, 1);
                twin.gradient(&[chunk])
            };
            let [update, _] = gradients(&learner);
            assert_eq!(update, trained(0.0), "{rule}, penalty {penalty}");
            assert_ne!(update, trained(0.1), "{rule}");
        }
    }
}

#[test]
fn cosines_follow_the_credit() {
    let [update, gradient] = gradients(&learner("bp", Modifiers::default()));
    assert_eq!(update, gradient, "backpropagation's credit is the gradient");
    let fa = learner("fa", Modifiers::default());
    let [update, gradient] = gradients(&fa);
    let last = units(&fa)[3].clone();
    let cosine_last = cosine(&update[last.clone()], &gradient[last]);
    assert!((0.1..0.9999).contains(&cosine_last), "samples are weighed otherwise: {cosine_last}");
    // Feedback of the other sign takes the parameters the other way.
    let mut dfa = learner("dfa", Modifiers::default());
    let [forth, gradient] = gradients(&dfa);
    dfa.rule.saved_mut().iter_mut().flat_map(|saved| &mut saved.values).for_each(|b| *b = -*b);
    let [back, _] = gradients(&dfa);
    for range in units(&dfa) {
        assert!((cosine(&forth[range.clone()], &back[range.clone()]) + 1.0).abs() < 1e-12);
        let one = cosine(&forth[range.clone()], &gradient[range.clone()]);
        let other = cosine(&back[range.clone()], &gradient[range]);
        assert!((one + other).abs() < 1e-12 && one.abs() > 1e-3, "{one} and {other}");
    }
}

#[test]
fn a_unit_that_is_kept_has_none() {
    let learner = learner("dfa", Modifiers { trainable_last: Some(1), ..Modifiers::default() });
    let [update, gradient] = gradients(&learner);
    for (unit, range) in units(&learner).into_iter().enumerate() {
        let is_kept = unit == 1 || unit == 2;
        assert_eq!(update[range.clone()].iter().all(|x| *x == 0.0), is_kept, "unit {unit}");
        assert_eq!(gradient[range].iter().all(|x| *x == 0.0), is_kept, "unit {unit}");
    }
}
