//! Shared by the benchmarks: a timed training step, its arithmetic, and the peak of a core; samples of measurements,
//! tables of them, and whether two audits agree.

pub mod agreement;
pub mod markdown;
pub mod sample;
pub mod section;

use nn::{MlpSpec, Net};
use rules::{Chunk, Clip, Learner, Modifiers};
use std::time::Instant;
use tensor::AdamW;
use tensor::random::{Purpose, Stream};

/// Features of a CIFAR image.
pub const INPUTS: usize = 3072;
/// Classes of CIFAR-10.
pub const CLASSES: usize = 10;
/// Samples per step.
pub const BATCH: usize = 128;

/// A network that takes training steps on one fixed batch, on one thread.
pub struct StepTimer {
    learner: Learner<f32, Net>,
    chunk: Chunk<f32, Net>,
    batch: usize,
    t: u64,
}

impl StepTimer {
    /// The residual MLP of that size, trained by that rule, after three warm-up steps.
    pub fn new(rule: &str, d: usize, blocks: usize, batch: usize) -> Result<Self, String> {
        let net = MlpSpec::resmlp(INPUTS, d, blocks, CLASSES).build().map_err(|e| e.to_string())?;
        Self::of(net.into(), rule, batch)
    }

    /// The same with the gradient of each block clipped to norm 1.
    pub fn clipped(rule: &str, d: usize, blocks: usize, batch: usize) -> Result<Self, String> {
        let mut timer = Self::new(rule, d, blocks, batch)?;
        timer.learner.modifiers.clip = Clip { norm: 1.0, ..Clip::default() };
        timer.time(3);
        Ok(timer)
    }

    /// A network of 3072 inputs and 10 classes.
    pub fn of(net: Net, rule: &str, batch: usize) -> Result<Self, String> {
        let learner = Learner::new(net, &rule.into(), Modifiers::default(), 1).map_err(|e| e.to_string())?;
        let mut stream = Stream::new(1, Purpose::Teacher);
        let mut chunk = learner.chunk(batch);
        chunk.x.fill_with(|| stream.normal() as f32);
        chunk.labels = (0..batch).map(|_| stream.below(CLASSES as u64) as u8).collect();
        let mut timer = Self { learner, chunk, batch, t: 0 };
        timer.time(3);
        Ok(timer)
    }

    /// Milliseconds of each of `steps` steps.
    pub fn time(&mut self, steps: usize) -> Vec<f64> {
        let optimiser = AdamW { lr: 1e-3, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
        let mut step = || {
            let begun = Instant::now();
            self.t += 1;
            self.learner.learn(&mut self.chunk, self.batch, self.t);
            self.learner
                .descend(self.t, optimiser, std::slice::from_ref(&self.chunk), 1)
                .expect("finite gradients");
            begun.elapsed().as_secs_f64() * 1e3
        };
        (0..steps).map(|_| step()).collect()
    }
}

/// Floating-point operations of the matrix products in our step: embedding forward and weight gradient; per block two
/// forward, two weight gradients and a signal back through W2, with one more through W1 for `bp`, one with the feedback
/// for `fa` and a small one for `dfa`; three in the head. PyTorch computes the product with W1 for every rule.
pub fn flop(rule: &str, d: usize, blocks: usize, batch: usize) -> f64 {
    let product = |n: usize, k: usize| 2.0 * batch as f64 * n as f64 * k as f64;
    let sixth = product(d, if rule == "dfa" { CLASSES } else { d });
    2.0 * product(d, INPUTS) + blocks as f64 * (5.0 * product(d, d) + sixth) + 3.0 * product(d, CLASSES)
}

/// The peak of one core in GFLOP/s: chains of fused multiply-adds that touch no memory.
pub fn peak() -> f64 {
    let mut best: f64 = 0.0;
    for _ in 0..20 {
        let begun = Instant::now();
        let flop = tensor::fma_burst();
        best = best.max(flop / begun.elapsed().as_secs_f64() / 1e9);
    }
    best
}
