//! What a run will take, before it is started: arithmetic, time, disk.

use crate::RunSpec;
use nn::Network;
use std::time::{Duration, Instant};
use tensor::{Mat, matmul};

/// What a run needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Steps of the optimiser.
    pub steps: u64,
    /// Parameters.
    pub parameters: u64,
    /// Floating-point operations in matrix products, training and evaluation.
    pub flop: f64,
    /// Bytes that its directory takes at most, with the checkpoint's temporary copy.
    pub disk: u64,
}

/// Share of its speed on large products that a whole training step reaches, as the step benchmark shows.
const EFFICIENCY: f64 = 0.65;

/// How fast this machine multiplies matrices on one core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Floating-point operations a second.
    pub flops: f64,
}

impl Cost {
    /// Counts multiplications and additions of the matrix products, two a weight and sample forward, and up to four
    /// backward.
    pub fn of(spec: &RunSpec) -> Self {
        let shape = Network::<f32>::shape(&spec.net.net);
        let sizes = spec.source.dimensions();
        let (d, blocks) = (shape.width as f64, shape.blocks as f64);
        let embed = d * shape.inputs as f64;
        let inner = blocks * 2.0 * d * d + d * shape.classes as f64;
        let (train, test) = (sizes.train as f64, (sizes.test + 3 * spec.eval_samples) as f64);
        let epochs = spec.last_epoch as f64;
        let flop = epochs * (train * (4.0 * embed + 6.0 * inner) + test * 2.0 * (embed + inner));
        let parameters = Network::<f32>::layout(&spec.net.net).len() as u64;
        let rule = rules::build::<f32, nn::Mlp>(&spec.rule, shape, spec.seed).expect("a checked rule");
        let feedback: usize = rule.saved().iter().map(|saved| saved.values.len()).sum();
        // Weights and two moments, the rule's tensors, and a line of about 100 bytes a layer for each epoch.
        let checkpoint = 4 * (3 * parameters + feedback as u64);
        let log = (spec.last_epoch + 1) * (400 + 260 * (shape.blocks as u64 + 1));
        Self {
            steps: spec.last_epoch * spec.steps() as u64,
            parameters,
            flop,
            disk: 2 * checkpoint + log + 8192,
        }
    }

    /// Time on one core.
    pub fn time(&self, speed: Speed) -> Duration {
        Duration::from_secs_f64(self.flop / (speed.flops * EFFICIENCY))
    }
}

impl Speed {
    /// Times a few products; takes a few hundredths of a second.
    pub fn measure() -> Self {
        const N: usize = 256;
        let (a, b, mut c) = (vec![0.5f32; N * N], vec![0.25f32; N * N], vec![0.0f32; N * N]);
        let mut best = f64::INFINITY;
        for _ in 0..20 {
            let begun = Instant::now();
            matmul(&mut c, 1.0, Mat::new(&a, N, N), Mat::new(&b, N, N));
            best = best.min(begun.elapsed().as_secs_f64());
        }
        Self { flops: 2.0 * (N as f64).powi(3) / best }
    }
}
