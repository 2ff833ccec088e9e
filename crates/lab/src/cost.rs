//! What a run will take, before it is started: arithmetic, time, disk.

use crate::RunSpec;
use crate::clock::cores;
use crate::train::ROWS;
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
    /// Bytes that its directory takes, with the checkpoint's temporary copy.
    pub disk: u64,
    /// Bytes of memory while it runs, without the data, which all runs share.
    pub memory: u64,
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
        let shape = Network::<f32>::shape(&spec.net);
        let sizes = spec.source.dimensions();
        let (d, blocks) = (shape.width as f64, shape.blocks as f64);
        let embed = d * shape.inputs as f64;
        let inner = blocks * 2.0 * d * d + d * shape.classes as f64;
        let (train, test) = (sizes.train as f64, (sizes.test + 3 * spec.eval_samples) as f64);
        let epochs = spec.last_epoch as f64;
        let audits =
            if spec.modifiers.trainable_last == Some(0) { 0 } else { spec.audit.count(spec.last_epoch) };
        let flop = epochs * (train * (4.0 * embed + 6.0 * inner) + test * 2.0 * (embed + inner))
            + audits as f64 * audit_flop(spec, embed, inner);
        let parameters = Network::<f32>::layout(&spec.net).len() as u64;
        let feedback = rules::saved_values::<f32, _>(&spec.rule, &spec.net) as u64;
        // Weights and two moments, the rule's tensors, recorded credit, names and places of all; then the lines of the log.
        let units = shape.blocks as u64 + 1;
        let recorded = 4 * 64 * units * shape.width as u64;
        let checkpoint = 4 * (3 * parameters + feedback) + recorded + 1024 * (units + 3);
        let log = (spec.last_epoch + 1)
            .saturating_mul(700 + 300 * units)
            .saturating_add(audits.saturating_mul(6000 * units));
        // About eight buffers a block and sample, in the chunks of a batch and in the rows that each thread evaluates, or audits
        // in twice the room; with as many threads as there are cores.
        let sample = shape.inputs as u64 + shape.width as u64 * (8 * shape.blocks as u64 + 8);
        let samples = (spec.batch + 2 * ROWS * cores()) as u64;
        Self {
            steps: spec.last_epoch.saturating_mul(spec.steps() as u64),
            parameters,
            flop,
            disk: (2 * checkpoint + 8192).saturating_add(log),
            memory: 4 * (3 * parameters + feedback + samples.saturating_mul(sample)),
        }
    }

    /// Time on one core.
    pub fn time(&self, speed: Speed) -> Duration {
        Duration::try_from_secs_f64(self.flop / (speed.flops * EFFICIENCY)).unwrap_or(Duration::MAX)
    }
}

/// What an audit during training computes: states moved along directions and against every credit, through half of the
/// blocks on average, in f64 at half the speed; and the credits themselves.
fn audit_flop(spec: &RunSpec, embed: f64, inner: f64) -> f64 {
    let settings = &spec.audit.settings;
    let units = Network::<f32>::shape(&spec.net).blocks as f64 + 1.0;
    let (samples, draws) = (settings.samples as f64, 2.0 * settings.draws as f64);
    let moved = samples * (2.0 * settings.directions as f64 + 3.0 * settings.etas.len() as f64)
        + settings.null_samples as f64 * draws;
    2.0 * units * moved * inner + samples * (2.0 * embed + (6.0 + 2.0 * draws) * inner)
}

/// Memory of the machine in bytes, where the system tells.
pub(crate) fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
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
