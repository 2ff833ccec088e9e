//! ρ and nudge on whole networks: right for hidden states of norm 10 and of norm 1e8, and 0 for noise.

use audit::measurements::{Directions, Downstream, NetworkDownstream, nudge, rho, unit_directions};
use audit::{Samples, Training, measure};
use nn::{Architecture, Mlp, MlpSpec, Tape};
use protocol::{THRESHOLDS, settings};
use record::audit::{NullKind, Place, Quantity, Standing};
use rules::{Learner, Modifiers, signals};
use tensor::random::{Purpose, Stream};

const N: usize = 96;
const D: usize = 24;

struct Seen {
    learner: Learner<f64, Mlp>,
    labels: Vec<u8>,
    h: Vec<Vec<f64>>,
    p: Vec<Vec<f64>>,
}

/// A network whose last hidden state has about this norm. A factor on its weights that leaves the LayerNorms behind it no
/// choice: the state grows, the function stays the same but for the gradient, which shrinks.
fn network(norm: f64) -> Seen {
    let net = MlpSpec::resmlp(5, D, 3, 6).build().expect("valid");
    let mut learner = Learner::<f64, Mlp>::new(net, &"bp".into(), Modifiers::default(), 3).expect("known");
    let mut stream = Stream::new(7, Purpose::Teacher);
    let mut chunk = learner.chunk(N);
    chunk.x.fill_with(|| 3.0 * stream.normal());
    chunk.labels = (0..N).map(|_| stream.below(6) as u8).collect();
    let embed = learner.net.layout().get("embed.weight").expect("a weight").range.clone();
    signals(&learner, &mut chunk, N);
    let norm_of = |h: &[f64]| (h.iter().map(|x| x * x).sum::<f64>() / N as f64).sqrt();
    let factor = norm / norm_of(chunk.tape().hidden(0));
    let bias = learner.net.layout().get("embed.bias").expect("a bias").range.clone();
    for part in [embed, bias] {
        learner.params[part].iter_mut().for_each(|w| *w *= factor);
    }
    let p = signals(&learner, &mut chunk, N).p;
    let h: Vec<Vec<f64>> = (0..4).map(|l| chunk.tape().hidden(l).to_vec()).collect();
    assert!((norm_of(&h[3]) / norm - 1.0).abs() < 0.2, "{}", norm_of(&h[3]));
    Seen { labels: chunk.labels.clone(), h, p, learner }
}

#[test]
fn the_true_gradient_predicts_the_loss_at_any_norm() {
    for norm in [10.0, 1e4, 1e8] {
        let seen = network(norm);
        let mut rest = NetworkDownstream::new(&seen.learner.net, &seen.learner.params);
        let vectors = unit_directions(&mut Stream::new(1, Purpose::Audit), N * 16, D);
        let directions = Directions { vectors: &vectors, reach: D };
        for l in 0..4 {
            let h = &seen.h[l];
            let p = &seen.p[l];
            let found = rho(&mut rest, l, h, &seen.labels, p, p, directions, 1e-3);
            let value = found.value.defined().unwrap_or_else(|| panic!("norm {norm}, layer {l}: {found:?}"));
            assert!(value >= 0.99, "norm {norm}, layer {l}: {found:?}");
            for eta in [0.003, 0.01, 0.1] {
                let change = nudge(&mut rest, l, h, &seen.labels, p, eta).defined().expect("defined");
                assert!(change < 0.0, "norm {norm}, layer {l}, eta {eta}: {change}");
                // To first order, each sample's loss falls by η·√d·‖p‖.
                if eta * (D as f64).sqrt() < 1e-2 * norm {
                    let norms = audit::norms(p, D).sum::<f64>() / N as f64;
                    let expected = -eta * (D as f64).sqrt() * norms;
                    assert!((change / expected - 1.0).abs() < 0.1, "{change} for {expected}");
                }
            }
        }
    }
}

#[test]
fn the_wrong_sign_and_noise_are_seen_for_what_they_are() {
    for norm in [10.0, 1e8] {
        let seen = network(norm);
        let mut rest = NetworkDownstream::new(&seen.learner.net, &seen.learner.params);
        let mut stream = Stream::new(2, Purpose::Audit);
        let vectors = unit_directions(&mut stream, N * 16, D);
        let directions = Directions { vectors: &vectors, reach: D };
        let h = &seen.h[1];
        let p = &seen.p[1];
        let minus: Vec<f64> = p.iter().map(|x| -x).collect();
        let found = rho(&mut rest, 1, h, &seen.labels, &minus, p, directions, 1e-3);
        assert!(found.value.defined().expect("defined") < -0.99);
        assert!(nudge(&mut rest, 1, h, &seen.labels, &minus, 0.01).defined().expect("defined") > 0.0);
        let noise: Vec<f64> = (0..N * D).map(|_| stream.normal()).collect();
        let found = rho(&mut rest, 1, h, &seen.labels, &noise, p, directions, 1e-3);
        // About one over the root of 96·16 pairs, five times.
        assert!(found.value.defined().expect("defined").abs() < 5.0 / (N as f64 * 16.0).sqrt(), "{found:?}");
    }
}

/// With each axis up and down as its directions, ρ is Σ⟨a,p⟩ / √(Σ‖a‖² Σ‖p‖²) but for the curvature, which falls with ε².
#[test]
fn rho_tends_to_the_cosine_of_all_samples_together() {
    let seen = network(10.0);
    let mut rest = NetworkDownstream::new(&seen.learner.net, &seen.learner.params);
    let mut stream = Stream::new(4, Purpose::Audit);
    let h = &seen.h[2];
    let p = &seen.p[2];
    let a: Vec<f64> = p.iter().map(|p| p + 0.5 * stream.normal()).collect();
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let expected = dot(&a, p) / (dot(&a, &a) * dot(p, p)).sqrt();
    let vectors: Vec<f64> =
        (0..N * 2 * D)
            .flat_map(|row| {
                (0..D).map(move |c| {
                    if row % D == c { if (row / D).is_multiple_of(2) { 1.0 } else { -1.0 } } else { 0.0 }
                })
            })
            .collect();
    let axes = Directions { vectors: &vectors, reach: D };
    let error = |step: f64, rest: &mut dyn Downstream| {
        let found = rho(rest, 2, h, &seen.labels, &a, p, axes, step);
        (found.value.defined().expect("defined") - expected).abs()
    };
    let coarse = error(0.3, &mut rest);
    let fine = error(0.03, &mut rest);
    assert!(fine < 1e-4 && fine < coarse / 30.0, "{coarse} then {fine}");
    assert!(error(1e-3, &mut rest) < 1e-6);
}

/// A loss that rounding hides has no ρ, and a loss that nothing moves has none either.
#[test]
fn what_cannot_be_measured_is_undefined() {
    struct Flat(f64);
    impl Downstream for Flat {
        fn losses(&mut self, _: usize, states: &[f64], _: &[u8], losses: &mut [f64]) {
            let width = states.len() / losses.len();
            losses
                .iter_mut()
                .zip(states.chunks_exact(width))
                .for_each(|(loss, h)| *loss = 1e9 + self.0 * h[0]);
        }
    }
    let vectors = unit_directions(&mut Stream::new(1, Purpose::Audit), 8, 4);
    let directions = Directions { vectors: &vectors, reach: 4 };
    for (slope, why) in [(1e-5, record::Why::Rounding), (0.0, record::Why::LossUnmoved)] {
        let found = rho(&mut Flat(slope), 0, &[1.0; 8], &[0, 0], &[1.0; 8], &[1.0; 8], directions, 1e-3);
        assert_eq!(found.value.why(), Some(why), "{found:?}");
    }
}

/// States that are infinite or beyond all measure end the search for a step, and say why.
#[test]
fn a_loss_that_is_not_finite_is_named_and_ends_the_search() {
    let seen = network(10.0);
    let mut rest = NetworkDownstream::new(&seen.learner.net, &seen.learner.params);
    let vectors = unit_directions(&mut Stream::new(1, Purpose::Audit), N * 2, D);
    let directions = Directions { vectors: &vectors, reach: D };
    // At 1e300 the variance overflows and LayerNorm gives 0: the loss is finite, and nothing moves it.
    for (bad, why) in [
        (f64::INFINITY, record::Why::NotFinite),
        (f64::NAN, record::Why::NotFinite),
        (1e300, record::Why::LossUnmoved),
    ] {
        let h: Vec<f64> = seen.h[2].iter().map(|h| h * bad).collect();
        let found = rho(&mut rest, 2, &h, &seen.labels, &seen.p[2], &seen.p[2], directions, 1e-3);
        assert_eq!(found.value.why(), Some(why), "{bad:e}: {found:?}");
    }
}

/// A whole audit: bp is useful everywhere, dfa at the start nowhere but by chance, and what does not apply is not there.
#[test]
fn an_audit_tells_credit_from_chance() {
    let audit_on = |name: &str, seed: u64, threads: usize| {
        let net = MlpSpec::resmlp(5, D, 3, 6).build().expect("valid");
        let learner = Learner::<f32, Mlp>::new(net, &name.into(), Modifiers::default(), seed).expect("known");
        let mut stream = Stream::new(7, Purpose::Teacher);
        let x: Vec<f32> = (0..N * 5).map(|_| 3.0 * stream.normal() as f32).collect();
        let labels: Vec<u8> = (0..N).map(|_| stream.below(6) as u8).collect();
        measure(
            &learner,
            Samples { x: &x, labels: &labels },
            Training { batch: 128, lr: Some(1e-3) },
            &settings(&THRESHOLDS, N as u64),
            threads,
        )
    };
    let audit_of = |name: &str, seed: u64| audit_on(name, seed, 1);
    let bp = audit_of("bp", 1);
    for threads in [2, 3, 9] {
        let again = audit_on("bp", 1, threads);
        assert_eq!(format!("{again:?}"), format!("{bp:?}"), "{threads} threads leave no trace");
    }
    assert!(bp.units.iter().all(|unit| unit.standing == Standing::Useful), "{:?}", bp.units);
    let kinds = |unit: &record::audit::UnitAudit| {
        unit.here.as_ref().expect("measured").nulls.iter().map(|null| null.kind).collect::<Vec<_>>()
    };
    assert!(bp.units.iter().all(|unit| kinds(unit).iter().all(|kind| *kind == NullKind::PermutedLabels)));
    let fa = audit_of("fa", 1);
    assert!(kinds(&fa.units[0]).contains(&NullKind::FreshFeedback));
    assert!(!kinds(&fa.units[3]).contains(&NullKind::FreshFeedback), "the last block has no feedback");
    assert_eq!(fa.units[3].standing, Standing::Useful, "{:?}", fa.units[3]);
    // At the start dfa is itself a fresh draw: inside its band 19 times of 21 for each seed and unit.
    let mut inside = 0;
    let mut all = 0;
    for seed in 0..12 {
        for unit in &audit_of("dfa", seed).units[1..] {
            let nulls = &unit.here.as_ref().expect("measured").nulls;
            for null in nulls.iter().filter(|n| n.kind == NullKind::FreshFeedback && n.of == Quantity::Cosine)
            {
                inside += usize::from(null.place == Place::Inside);
                all += 1;
            }
        }
    }
    let rate = inside as f64 / all as f64;
    let expected = 19.0 / 21.0;
    let sd = (expected * (1.0 - expected) / all as f64).sqrt();
    assert!((rate - expected).abs() < 3.0 * sd, "{inside} of {all}");
}
