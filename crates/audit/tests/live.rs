//! A network whose signals are handed over chunk by chunk gets the measurements that it gets at home.

use audit::measurements::{Downstream, NetworkDownstream};
use audit::{LiveMeasurement, LiveSignals, Measurements, Samples, Training, measure};
use nn::{Mlp, MlpSpec, Tape};
use record::audit::{NullKind, Settings};
use rules::{Bp, Learner, Modifiers, Normalise, signals};

const N: usize = 70;
const INPUTS: usize = 5;
const BATCH: usize = 16;

/// The network above a state, asked by the index of a sample.
struct ByIndex<'a> {
    rest: NetworkDownstream<'a, Mlp>,
    labels: &'a [u8],
}

impl Downstream<usize> for ByIndex<'_> {
    fn losses(&mut self, layer: usize, states: &[f64], samples: &[usize], losses: &mut [f64]) {
        let labels: Vec<u8> = samples.iter().map(|&sample| self.labels[sample]).collect();
        self.rest.losses(layer, states, &labels, losses);
    }
}

fn settings() -> Settings {
    let usual = protocol::settings(&protocol::THRESHOLDS, N as u64);
    Settings { directions: 6, draws: 0, null_samples: 32, ..usual }
}

fn data() -> (Vec<f32>, Vec<u8>) {
    let x = (0..N * INPUTS).map(|i| ((i * 37) as f32).sin()).collect();
    (x, (0..N).map(|i| (i * i % 4) as u8).collect())
}

/// Hands the signals over in chunks of this size; the features of the credit are turned so many times.
fn live(learner: &Learner<f32, Mlp>, size: usize, draws: u64) -> Measurements {
    let (x, labels) = data();
    let net = &learner.net;
    let params: Vec<f64> = learner.params.iter().map(|&w| f64::from(w)).collect();
    let exact =
        Learner::<f64, Mlp>::with(net.clone(), params, Box::new(Bp), Normalise::None, Modifiers::default());
    let mut rest = ByIndex { rest: NetworkDownstream::new(net, &learner.params), labels: &labels };
    let settings = Settings { draws, ..settings() };
    let mut measurement = LiveMeasurement::new(&[8; 3], &[], &settings);
    for start in (0..N).step_by(size) {
        let rows = size.min(N - start);
        let (mut single, mut double) = (learner.chunk(rows), exact.chunk(rows));
        let part = &x[start * INPUTS..(start + rows) * INPUTS];
        single.x[..part.len()].copy_from_slice(part);
        double.x.iter_mut().zip(part).for_each(|(wide, &x)| *wide = f64::from(x));
        single.labels = labels[start..start + rows].to_vec();
        double.labels = single.labels.clone();
        let p = signals(&exact, &mut double, BATCH).p;
        let used = signals(learner, &mut single, BATCH);
        let h: Vec<Vec<f64>> = (0..3).map(|l| double.tape().hidden(l).to_vec()).collect();
        let error = double.error().to_vec();
        let mut losses = vec![0.0; rows];
        let samples: Vec<usize> = (start..start + rows).collect();
        rest.losses(0, &h[0], &samples, &mut losses);
        let given = LiveSignals {
            samples: rows,
            h: h.iter().map(Vec::as_slice).collect(),
            p: p.iter().map(Vec::as_slice).collect(),
            p32: used.p.iter().map(Vec::as_slice).collect(),
            credits: vec![used.credit.iter().map(Vec::as_slice).collect()],
            error: &error,
            loss: losses.iter().sum(),
        };
        measurement.add(&given, &mut rest);
    }
    measurement.finish()
}

fn learner(rule: &str) -> Learner<f32, Mlp> {
    let net = MlpSpec::resmlp(INPUTS, 8, 2, 4).build().expect("a small network");
    Learner::new(net, &rule.into(), Modifiers::default(), 1).expect("a rule")
}

#[test]
fn handed_over_or_at_home_the_measurements_are_the_same() {
    for rule in ["bp", "dfa", "fa"] {
        let learner = learner(rule);
        let (x, labels) = data();
        let training = Training { batch: BATCH, lr: None };
        let home = measure(&learner, Samples { x: &x, labels: &labels }, training, &settings(), 1);
        for size in [N, 32, 13] {
            let away = live(&learner, size, 0);
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
            assert!(near(away.growth, home.growth) && near(away.error, home.error), "{rule} {size}");
            for (away, home) in away.units.iter().zip(&home.units) {
                let (away, home) =
                    (away.here.as_ref().expect("measured"), home.here.as_ref().expect("measured"));
                let value = |m: record::Measured| m.value().expect("a number");
                assert!(near(value(away.cosine), value(home.cosine)), "{rule} {size}");
                let rho = |evidence: &record::audit::Evidence| evidence.rho.expect("measured");
                // At home differences are carried in f32.
                let alike = |a: f64, b: f64| (a - b).abs() <= 1e-5 * b.abs() + 1e-9;
                assert!(alike(value(rho(away).value), value(rho(home).value)), "{rule} {size}");
                assert!(alike(value(rho(away).gradient), value(rho(home).gradient)), "{rule} {size}");
                for (away, home) in away.nudges.iter().zip(&home.nudges) {
                    assert!(alike(value(away.change), value(home.change)), "{rule} {size}");
                }
            }
        }
    }
}

#[test]
fn without_fresh_feedback_the_features_are_turned() {
    let found = live(&learner("dfa"), N, 20);
    for unit in &found.units {
        let nulls = &unit.here.as_ref().expect("measured").nulls;
        assert!(!nulls.is_empty() && nulls.iter().all(|null| null.kind == NullKind::TurnedFeatures));
        assert!(nulls.iter().all(|null| null.draws == 20 && null.low < null.high));
        assert!(unit.effect.is_some(), "measured by moving the state");
    }
}
