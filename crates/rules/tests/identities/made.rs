//! Small learners, a batch for them, and a few training steps.

use nn::{Architecture, Mlp, MlpSpec};
use rules::{Learner, Modifiers, RuleSpec, Signals, Value, signals};
use tensor::AdamW;
use tensor::random::{Purpose, Stream};

pub(crate) const ADAMW: AdamW = AdamW { lr: 1e-3, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
/// Only a gradient moves a parameter.
pub(crate) const UNDECAYED: AdamW = AdamW { weight_decay: 0.0, ..ADAMW };

pub(crate) fn learner(spec: MlpSpec, rule: impl Into<RuleSpec>, modifiers: Modifiers) -> Learner<f64, Mlp> {
    let net = MlpSpec { w2_std: 0.3, ..spec }.build().expect("valid");
    Learner::new(net, &rule.into(), modifiers, 5).expect("known")
}

/// The rule without its own decay, if it has one.
pub(crate) fn undecayed(rule: &str) -> RuleSpec {
    let own = RuleSpec::from(rule).keys().iter().any(|key| key.name == "rule.decay");
    let settings = own.then_some(("rule.decay", Value::Real(0.0)));
    RuleSpec::with(rule, settings.as_slice()).expect("its keys")
}

pub(crate) fn fill(learner: &Learner<f64, Mlp>, rows: usize) -> (Vec<f64>, Vec<u8>) {
    let shape = learner.net.shape();
    let mut stream = Stream::new(9, Purpose::Teacher);
    let x = (0..rows * shape.inputs).map(|_| stream.normal()).collect();
    let labels = (0..rows).map(|_| stream.below(shape.classes as u64) as u8).collect();
    (x, labels)
}

pub(crate) fn signals_of(learner: &Learner<f64, Mlp>, rows: usize) -> Signals<f64> {
    let mut chunk = learner.chunk(rows);
    (chunk.x, chunk.labels) = fill(learner, rows);
    signals(learner, &mut chunk, rows)
}

pub(crate) fn train(learner: &mut Learner<f64, Mlp>, optimiser: AdamW, steps: u64, chunks: usize) {
    let rows = 6;
    let (x, labels) = fill(learner, rows);
    let chunks = learner.chunks_for(chunks);
    let part = rows / chunks;
    let inputs = x.len() / rows;
    let mut buffers: Vec<_> = (0..chunks).map(|_| learner.chunk(part)).collect();
    for (i, chunk) in buffers.iter_mut().enumerate() {
        chunk.x.copy_from_slice(&x[i * part * inputs..(i + 1) * part * inputs]);
        chunk.labels = labels[i * part..(i + 1) * part].to_vec();
    }
    for t in 1..=steps {
        buffers.iter_mut().for_each(|chunk| {
            learner.learn(chunk, rows, t);
        });
        learner.descend(t, optimiser, &buffers, chunks).expect("finite gradients");
    }
}

pub(crate) fn relative(a: &[f64], b: &[f64]) -> f64 {
    let norm = |it: &mut dyn Iterator<Item = f64>| it.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut a.iter().zip(b).map(|(a, b)| a - b)) / norm(&mut b.iter().copied())
}
