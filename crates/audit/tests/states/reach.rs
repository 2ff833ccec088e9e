//! States of three positions of which the first is reached: that one is measured and moved, and nothing else.

use crate::tower::{CLASSES, N, Tower, audit, data, learner};
use nn::{Network, State, Tape};
use record::audit::Standing;
use rules::{Learner, signals};

const TOKENS: State = State { positions: 3, features: 4, reached: 1 };

fn tower() -> Tower {
    Tower::new(&[TOKENS; 4])
}

/// States in f64, credit in f32 and p in f64 of all samples, whole.
struct Seen {
    exact: Learner<f64, Tower>,
    labels: Vec<u8>,
    h: Vec<Vec<f64>>,
    p: Vec<Vec<f64>>,
    credit: Vec<Vec<f64>>,
}

fn seen(trained: &Learner<f32, Tower>) -> Seen {
    let (x, labels) = data();
    let params = trained.params.iter().map(|&w| f64::from(w)).collect();
    let exact = Learner::<f64, Tower>::with(
        tower(),
        params,
        Box::new(rules::Bp),
        rules::Normalise::None,
        Default::default(),
    );
    let mut single = trained.chunk(N);
    let mut double = exact.chunk(N);
    (single.labels, double.labels) = (labels.clone(), labels.clone());
    double.x = x.iter().map(|&x| f64::from(x)).collect();
    single.x = x;
    let p = signals(&exact, &mut double, 128).p;
    let h = (0..p.len()).map(|l| double.tape().hidden(l).to_vec()).collect();
    let wide = |rows: Vec<f32>| rows.into_iter().map(f64::from).collect();
    let credit = signals(trained, &mut single, 128).credit.into_iter().map(wide).collect();
    Seen { exact, labels, h, p, credit }
}

/// The class token of each sample.
fn tokens(rows: &[f64]) -> impl Iterator<Item = &[f64]> {
    rows.chunks_exact(12).map(|row| &row[..4])
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-6 * (1e-3 + expected.abs()), "{what}: {found}, not {expected}");
}

#[test]
fn backpropagation_is_useful_where_feedback_reaches() {
    let found = audit(&learner(tower(), "bp"), 1);
    for unit in &found.units {
        let here = unit.here.as_ref().expect("measured");
        assert_eq!(unit.standing, Standing::Useful, "{unit:?}");
        near(here.cosine.defined().expect("defined"), 1.0, &unit.unit.to_string());
        assert!(here.rho.expect("asked for").value.defined().expect("defined") > 0.99, "{here:?}");
        assert!(here.nudges.iter().all(|nudge| nudge.change.defined().is_some_and(|x| x < 0.0)), "{here:?}");
    }
    let papers: Vec<bool> = found.units.iter().map(|unit| unit.at_input.is_some()).collect();
    assert_eq!(papers, [false, true, true, true], "blocks have one, the embedding has none");
}

#[test]
fn norms_are_medians_over_the_class_token() {
    for rule in ["bp", "fa", "dfa", "state_bridge"] {
        let trained = learner(tower(), rule);
        let found = audit(&trained, 1);
        let seen = seen(&trained);
        let median = |rows: &[f64]| audit::median(tokens(rows).map(|row| dot(row, row).sqrt()).collect());
        for l in 0..4 {
            let state = &found.states[l];
            let what = format!("{rule}, layer {l}");
            near(state.hidden.expect("measured"), median(&seen.h[l]), &what);
            near(state.gradient.expect("measured"), median(&seen.p[l]), &what);
            near(found.units[l].credit.expect("measured"), median(&seen.credit[l]), &what);
        }
        // Below the top other positions do have a gradient: reading them would show.
        assert!(seen.p[1].chunks_exact(12).all(|row| dot(&row[4..], &row[4..]) > 0.0), "{rule}");
    }
}

#[test]
fn cosines_are_means_over_the_class_token() {
    let trained = learner(tower(), "dfa");
    let found = audit(&trained, 1);
    let seen = seen(&trained);
    let mean = |a: &[f64], p: &[f64]| {
        let cosine = |(a, p)| dot(a, p) / (dot(a, a) * dot(p, p)).sqrt();
        tokens(a).zip(tokens(p)).map(cosine).sum::<f64>() / N as f64
    };
    for l in 0..4 {
        let here = found.units[l].here.as_ref().expect("measured");
        near(here.cosine.value().expect("defined"), mean(&seen.credit[l], &seen.p[l]), "at the output");
        let Some(paper) = &found.units[l].at_input else { continue };
        near(paper.cosine.value().expect("defined"), mean(&seen.credit[l], &seen.p[l - 1]), "in the paper");
    }
}

#[test]
fn a_nudge_moves_the_class_token_by_its_own_root_mean_square() {
    let trained = learner(tower(), "dfa");
    let found = audit(&trained, 1);
    let seen = seen(&trained);
    let net = &seen.exact.net;
    let mut tape = Network::<f64>::tape(net, N);
    for l in 0..4 {
        let mut losses = |h: &[f64]| -> f64 {
            net.forward_from(&seen.exact.params, l, h, &mut tape);
            let rows = tape.logits().chunks_exact(CLASSES).zip(&seen.labels);
            let loss =
                |z: &[f64], label: u8| z.iter().map(|z| z.exp()).sum::<f64>().ln() - z[usize::from(label)];
            rows.map(|(z, &label)| loss(z, label)).sum::<f64>() / N as f64
        };
        let before = losses(&seen.h[l]);
        for nudge in &found.units[l].here.as_ref().expect("measured").nudges {
            let mut moved = seen.h[l].clone();
            for (h, a) in moved.chunks_exact_mut(12).zip(tokens(&seen.credit[l])) {
                let rms = (dot(a, a) / 4.0).sqrt();
                h.iter_mut().zip(a).for_each(|(h, a)| *h -= nudge.eta * a / rms);
            }
            let change = nudge.change.value().expect("defined");
            near(change, losses(&moved) - before, &format!("layer {l}, eta {}", nudge.eta));
        }
    }
}

/// Noise moves every position, so the mean credit is compared over the whole state, not over the class token alone.
#[test]
fn mean_credit_covers_every_position() {
    for unit in &audit(&learner(tower(), "node_perturbation"), 2).units {
        assert_eq!(unit.mean_credit.len(), 4, "{}", unit.unit);
        for point in &unit.mean_credit {
            assert_eq!(point.expected, audit::measurements::expected_cosine(point.draws, TOKENS.width()));
            // Four standard errors.
            let error = (point.high - point.low) / 1.96 * 2.0;
            assert!((point.cosine - point.expected).abs() < error, "{}: {point:?}", unit.unit);
        }
    }
}
