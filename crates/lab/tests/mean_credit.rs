//! The mean credit over many draws tells noise from bias, on digits and in a briefly trained network.

use audit::{Measurements, Samples, Training, measure};
use data::{DataSpec, Dataset, Folder};
use nn::{Mlp, MlpSpec};
use record::audit::{MeanCredit, Settings};
use rules::{BatchView, Credit, Given, Gives, Learner, Modifiers, Rule};
use tensor::AdamW;
use tensor::random::{Purpose, Stream};

const D: usize = 64;
const BLOCKS: usize = 2;
const BATCH: usize = 64;

/// Node perturbation plus a fixed direction, as long as each sample's gradient: unbiased noise around what is not the gradient.
struct Biased(Box<dyn Rule<f32, Mlp>>);

impl Gives<f32, Mlp> for Biased {
    fn give(&self, batch: &BatchView<'_, f32, Mlp>, given: Given<'_, f32>) {
        let Credit::Given(noisy) = self.0.credit() else {
            unreachable!("node perturbation gives its credit")
        };
        let Given { credit, gradient, report } = given;
        noisy.give(batch, Given { credit: &mut *credit, gradient, report });
        for (unit, credit) in credit.iter_mut().enumerate() {
            let mut stream = Stream::at(5, Purpose::Teacher, unit as u64, 0);
            let fixed: Vec<f32> = (0..D).map(|_| (stream.normal() / (D as f64).sqrt()) as f32).collect();
            for (a, p) in credit.chunks_exact_mut(D).zip(batch.p_last.chunks_exact(D)) {
                let size = p.iter().map(|p| p * p).sum::<f32>().sqrt();
                a.iter_mut().zip(&fixed).for_each(|(a, fixed)| *a += size * fixed);
            }
        }
    }

    fn everywhere(&self) -> bool {
        true
    }
}

impl Rule<f32, Mlp> for Biased {
    fn credit(&self) -> Credit<'_, f32, Mlp> {
        Credit::Given(self)
    }

    fn fresh_draw(&self, draw: u64) -> Option<Box<dyn Rule<f32, Mlp>>> {
        Some(Box::new(Self(self.0.fresh_draw(draw)?)))
    }
}

/// Four epochs of node perturbation.
fn trained(digits: &Dataset) -> Learner<f32, Mlp> {
    let net = MlpSpec::resmlp(digits.inputs, D, BLOCKS, digits.classes).build().expect("valid");
    let mut learner =
        Learner::<f32, Mlp>::new(net, &"node_perturbation".into(), Modifiers::default(), 3).expect("it fits");
    let optimiser = AdamW { lr: 1e-3, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
    let mut chunk = learner.chunk(BATCH);
    let batches = digits.train.len() / BATCH;
    for t in 1..=4 * batches {
        chunk.labels.resize(BATCH, 0);
        digits.train.fill((t - 1) % batches * BATCH, &mut chunk.x, &mut chunk.labels);
        learner.learn(&mut chunk, BATCH, t as u64);
        learner.descend(t as u64, optimiser, std::slice::from_ref(&chunk), 1).expect("finite gradients");
    }
    learner
}

fn measured(learner: &Learner<f32, Mlp>, digits: &Dataset, threads: usize) -> Measurements {
    let settings = Settings { directions: 0, draws: 2, ..protocol::settings(&protocol::THRESHOLDS, 300) };
    let mut x = vec![0.0; 300 * digits.inputs];
    let mut labels = vec![0; 300];
    digits.test.fill(0, &mut x, &mut labels);
    measure(
        learner,
        Samples { x: &x, labels: &labels },
        Training { batch: BATCH, lr: Some(1e-3) },
        &settings,
        threads,
    )
}

/// The point of the largest K at the last unit.
fn last(found: &Measurements) -> MeanCredit {
    *found.units[BLOCKS].mean_credit.last().expect("it draws anew")
}

#[test]
fn unbiased_noise_follows_the_expected_curve_and_bias_falls_below_it() {
    let digits = data::load(&DataSpec::Digits, &Folder::at("/nonexistent")).expect("built in");
    let mut learner = trained(&digits);
    let noisy = measured(&learner, &digits, 1);
    for unit in &noisy.units {
        let curve = &unit.mean_credit;
        assert_eq!(curve.iter().map(|point| point.draws).collect::<Vec<_>>(), [1, 4, 16, 64]);
        for point in curve {
            assert_eq!(point.samples, 256, "those of the nulls");
            // Three standard errors: there are twelve of them.
            let reach = (point.high - point.low) / 2.0 / 1.96 * 3.0;
            assert!((point.cosine - point.expected).abs() < reach, "{}: {point:?}", unit.unit);
        }
        // √(K/(K+d+1)), where it is good.
        assert!((curve[3].expected / (64.0f64 / 129.0).sqrt() - 1.0).abs() < 0.01, "{:?}", curve[3]);
    }
    let point = last(&noisy);
    assert!(point.low < point.expected && point.expected < point.high, "{point:?}");
    assert_eq!(measured(&learner, &digits, 3).units, noisy.units, "threads leave no trace");

    learner.rule = Box::new(Biased(learner.rule));
    let biased = measured(&learner, &digits, 1);
    let curve = &biased.units[BLOCKS].mean_credit;
    // With bias as long as the gradient, K draws have the cosine 1/√(1 + (d+1)/K + 1): as good for one draw, not for many.
    assert!((curve[0].cosine - curve[0].expected).abs() < 0.02, "{:?}", curve[0]);
    let limit = 1.0 / (2.0f64 + 65.0 / 64.0).sqrt();
    assert!((last(&biased).cosine - limit).abs() < 0.05, "{:?} for {limit}", last(&biased));
    assert!(last(&biased).high < 0.9 * last(&biased).expected, "{:?}", last(&biased));

    let bp = Learner::with(
        learner.net.clone(),
        learner.params.clone(),
        Box::new(rules::Bp),
        rules::Normalise::None,
        Modifiers::default(),
    );
    assert!(measured(&bp, &digits, 1).units.iter().all(|unit| unit.mean_credit.is_empty()));
}
