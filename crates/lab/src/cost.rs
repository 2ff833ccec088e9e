//! The cost of a run, estimated before it starts: arithmetic, time, disk, memory.

use crate::pool::cores;
use crate::train::rows;
use crate::{Error, RunSpec};
use audit::measurements::REDRAWS;
use nn::{Architecture, Net, Unit};
use std::time::{Duration, Instant};
use tensor::{Mat, matmul};

/// The resources of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Number of optimiser steps.
    pub steps: u64,
    /// Number of parameters.
    pub parameters: u64,
    /// Floating-point operations in matrix products, training and evaluation.
    pub flop: f64,
    /// Seconds on one core for what does not grow with the network: calls, checks, lines of the log.
    pub overhead: f64,
    /// Bytes of disk for its directory, including the temporary copy of the checkpoint.
    pub disk: u64,
    /// Bytes of memory while it runs, without the data, which all runs share.
    pub memory: u64,
}

/// Speed of a whole training step as a share of the speed on large products, from the step benchmark.
const EFFICIENCY: f64 = 0.65;

/// Seconds per step and unit beside the products, and seconds per epoch for measuring, logging and saving; from runs of a network
/// so small that its products do not count, on a core of a 2021 server. Only such networks notice.
const STEP_OVERHEAD: f64 = 5e-6;
const EPOCH_OVERHEAD: f64 = 3e-3;

/// The speed of matrix products on one core of this machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Floating-point operations per second.
    pub flops: f64,
}

impl Cost {
    /// Counts the multiplications and additions of matrix products: two forward per weight, sample and position, and up to four
    /// backward. The rule's own work is added.
    pub fn of(spec: &RunSpec) -> Self {
        let shape = spec.net.shape();
        let sizes = spec.source.dimensions();
        let (embed, inner) = products(&spec.net);
        let own = rules::work::<f32, _>(&spec.rule, &spec.net, inner);
        let train = spec.train_samples as f64;
        let scored = sizes.test + sizes.train - spec.train_samples;
        let test = (scored + 3 * spec.eval_samples) as f64;
        let epochs = spec.last_epoch as f64;
        let audits =
            if spec.modifiers.trainable_last == Some(0) { 0 } else { spec.audit.count(spec.last_epoch) };
        let flop = epochs * (train * (4.0 * embed + 6.0 * inner + 2.0 * own) + test * 2.0 * (embed + inner))
            + audits as f64 * (audit_flop(spec, embed, inner) + redraws_flop(spec, own));
        let parameters = spec.net.layout().len() as u64;
        let feedback = rules::saved_values::<f32, _>(&spec.rule, &spec.net) as u64;
        // Weights and two moments, the rule's tensors, recorded credit, names and offsets of all; then the lines of the log.
        let units = shape.blocks as u64 + 1;
        let widths: u64 = (0..=shape.blocks).map(|l| spec.net.state(l).width() as u64).sum();
        let recorded = 4 * 64 * widths;
        let checkpoint = 4 * (3 * parameters + feedback) + recorded + 1024 * (units + 3);
        let log = (spec.last_epoch + 1)
            .saturating_mul(700 + 300 * units)
            .saturating_add(audits.saturating_mul(6000 * units));
        // About eight buffers per state and sample, and as many again if states have positions with attention or patches
        // between them. They exist in the chunks of a batch and in the rows that each thread evaluates; audits need twice as
        // much. There are as many threads as cores.
        let buffers = if spec.net.state(0).positions > 1 { 16 } else { 8 };
        let sample = shape.inputs as u64 + buffers * widths;
        let samples = (spec.batch + 2 * rows(&spec.net) * cores()) as u64;
        let steps = spec.last_epoch.saturating_mul(spec.steps() as u64);
        Self {
            steps,
            parameters,
            flop,
            overhead: STEP_OVERHEAD * steps as f64 * units as f64 + EPOCH_OVERHEAD * epochs,
            disk: (2 * checkpoint + 8192).saturating_add(log),
            memory: 4 * (3 * parameters + feedback + samples.saturating_mul(sample)),
        }
    }

    /// Time on one core.
    pub fn time(&self, speed: Speed) -> Duration {
        speed.time(self.flop, self.overhead)
    }
}

/// Multiply-adds of a forward pass of one sample: of the embedding, and of everything after it.
fn products(net: &Net) -> (f64, f64) {
    let embed = net.layout().unit(Unit::Embed);
    let (below, above): (Vec<_>, Vec<_>) =
        net.parameter_ranges().into_iter().partition(|(stretch, _)| embed.contains(&stretch.start));
    let sum = |part: Vec<(std::ops::Range<usize>, f64)>| part.into_iter().map(|(_, work)| work).sum();
    (sum(below), sum(above))
}

/// The cost of an audit during training: states moved along random directions and against every credit, through half of the
/// blocks on average, in f64 at half the speed; and the credits themselves.
fn audit_flop(spec: &RunSpec, embed: f64, inner: f64) -> f64 {
    let settings = &spec.audit.settings;
    let units = spec.net.shape().blocks as f64 + 1.0;
    let samples = settings.samples as f64;
    let draws = 2.0 * settings.draws as f64;
    let moved = samples * (2.0 * settings.directions as f64 + 3.0 * settings.etas.len() as f64)
        + settings.null_samples as f64 * draws;
    2.0 * units * moved * inner + samples * (2.0 * embed + (6.0 + 2.0 * draws) * inner)
}

/// The cost of an audit's mean credit, for rules that draw anew: as many credits of each sample as there are redraws at most.
fn redraws_flop(spec: &RunSpec, own: f64) -> f64 {
    let settings = &spec.audit.settings;
    if !rules::draws_anew::<f32, Net>(&spec.rule) {
        return 0.0;
    }
    let redraws = REDRAWS[REDRAWS.len() - 1] as f64;
    2.0 * settings.null_samples.min(settings.samples) as f64 * redraws * own
}

/// Refuses runs that together need more memory than the machine has: running out of memory would end them all.
pub fn fits_memory(runs: &[RunSpec], jobs: usize) -> Result<(), Error> {
    let mut needs: Vec<u64> = runs.iter().map(|spec| Cost::of(spec).memory).collect();
    needs.sort_unstable();
    let together = needs.iter().rev().take(jobs).fold(0u64, |sum, &need| sum.saturating_add(need));
    match machine_memory() {
        Some(there) if together > there => Err(Error::Memory { together, there, jobs: jobs.min(runs.len()) }),
        _ => Ok(()),
    }
}

/// Memory of the machine in bytes, if the system reports it.
fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

impl Speed {
    /// Time on one core of so many operations in products, and of what comes on top, in seconds.
    pub fn time(self, flop: f64, overhead: f64) -> Duration {
        Duration::try_from_secs_f64(flop / (self.flops * EFFICIENCY) + overhead).unwrap_or(Duration::MAX)
    }

    /// Times a few products; takes a few hundredths of a second.
    pub fn measure() -> Self {
        const N: usize = 256;
        let a = vec![0.5f32; N * N];
        let b = vec![0.25f32; N * N];
        let mut c = vec![0.0f32; N * N];
        let mut best = f64::INFINITY;
        for _ in 0..20 {
            let begun = Instant::now();
            matmul(&mut c, 1.0, Mat::new(&a, N, N), Mat::new(&b, N, N));
            best = best.min(begun.elapsed().as_secs_f64());
        }
        Self { flops: 2.0 * (N as f64).powi(3) / best }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Recipe;

    fn spec(rule: &str, draws: u64) -> RunSpec {
        let text = format!("data.name = 'digits'\nrule.name = '{rule}'\naudit.draws = {draws}\n");
        let recipe = Recipe::parse(&text, "made").expect("a recipe");
        recipe.runs().expect("valid").remove(0)
    }

    /// However fast the products are, every step and every epoch takes its time.
    #[test]
    fn a_network_of_nothing_still_takes_steps() {
        let recipe = "data.name = 'digits'\nnet.d = 1\nnet.blocks = 1\ntrain.batch = 1\ntrain.epochs = 7\n";
        let spec = Recipe::parse(recipe, "made").expect("a recipe").runs().expect("valid").remove(0);
        let cost = Cost::of(&spec);
        let seconds = cost.time(Speed { flops: f64::INFINITY }).as_secs_f64();
        let expected = cost.steps as f64 * 2.0 * STEP_OVERHEAD + 7.0 * EPOCH_OVERHEAD;
        assert!((seconds - expected).abs() < 1e-6, "{seconds} {expected}");
    }

    /// Every redraw is a credit of its own, which costs what it costs in training.
    #[test]
    fn redraws_of_the_mean_credit_are_counted() {
        let noisy = spec("node_perturbation", 5);
        let samples = noisy.audit.settings.null_samples as f64;
        assert_eq!(redraws_flop(&noisy, 3.0), 64.0 * samples * 2.0 * 3.0);
        assert_eq!(redraws_flop(&spec("dfa", 5), 3.0), 0.0);
    }
}
