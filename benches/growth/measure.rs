//! Times along one size at a time, best of some rounds, and the arithmetic.

use audit::{Samples, Training};
use creditscope_benches::{BATCH, CLASSES, INPUTS, StepTimer, flop};
use data::Folder;
use lab::{Interrupt, Options, Recipe, run_all};
use nn::{Mlp, MlpSpec};
use protocol::{THRESHOLDS, settings};
use rules::{Learner, Modifiers};
use std::time::{Duration, Instant};
use tensor::random::{Purpose, Stream};

const RULES: [&str; 2] = ["bp", "dfa"];
/// In turns, so that a disturbance of the machine affects all sizes.
const ROUNDS: usize = 12;

/// Cost along one size.
pub(crate) struct Growth {
    pub(crate) against: &'static str,
    pub(crate) label: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) series: &'static str,
    /// Size, best time, and the work that the arithmetic counts.
    pub(crate) points: Vec<(f64, f64, f64)>,
}

impl Growth {
    /// Exponent of the time: slope of its logarithm against that of the size, by least squares.
    pub(crate) fn exponent(&self) -> f64 {
        slope(self.points.iter().map(|&(x, y, _)| (x.ln(), y.ln())))
    }

    /// Exponent of the arithmetic over the same sizes.
    pub(crate) fn expected(&self) -> f64 {
        slope(self.points.iter().map(|&(x, _, work)| (x.ln(), work.ln())))
    }
}

fn slope(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let n = points.clone().count() as f64;
    let mean_x = points.clone().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = points.clone().map(|(_, y)| y).sum::<f64>() / n;
    let covariance: f64 = points.clone().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    covariance / points.map(|(x, _)| (x - mean_x).powi(2)).sum::<f64>()
}

/// All of them.
pub(crate) fn all() -> Result<Vec<Growth>, Box<dyn std::error::Error>> {
    let mut all = Vec::new();
    for rule in RULES {
        let widths = [64, 128, 256, 512, 1024].map(|d| (d, (d, 4, BATCH)));
        all.push(steps("width", "width $d$, at $L = 4$", rule, &widths)?);
        let depths = [2, 4, 8, 16, 32].map(|blocks| (blocks, (256, blocks, BATCH)));
        all.push(steps("depth", "blocks $L$, at $d = 256$", rule, &depths)?);
        let batches = [16, 32, 64, 128, 256, 512].map(|batch| (batch, (256, 4, batch)));
        all.push(steps("batch", "samples per step, at $d = 256$, $L = 4$", rule, &batches)?);
    }
    all.push(audits());
    all.push(sweeps()?);
    Ok(all)
}

/// Seconds of a training step along a size.
fn steps(
    against: &'static str,
    label: &'static str,
    rule: &'static str,
    sizes: &[(usize, (usize, usize, usize))],
) -> Result<Growth, String> {
    let case =
        |&(_, (d, blocks, batch)): &(usize, (usize, usize, usize))| StepTimer::new(rule, d, blocks, batch);
    let mut cases = sizes.iter().map(case).collect::<Result<Vec<_>, _>>()?;
    let mut best = vec![f64::INFINITY; sizes.len()];
    for _ in 0..ROUNDS {
        for (case, best) in cases.iter_mut().zip(&mut best) {
            *best = case.time(2).into_iter().fold(*best, f64::min);
        }
    }
    let point = |(&(x, (d, blocks, batch)), ms): (&(usize, (usize, usize, usize)), f64)| {
        (x as f64, ms * 1e-3, flop(rule, d, blocks, batch))
    };
    let points = sizes.iter().zip(best).map(point).collect();
    Ok(Growth { against, label, unit: "Seconds per step", series: rule, points })
}

/// Seconds of a full audit along the number of samples, of a small network.
fn audits() -> Growth {
    let net = MlpSpec::resmlp(INPUTS, 64, 2, CLASSES).build().expect("a network");
    let learner =
        Learner::<f32, Mlp>::new(net, &"dfa".into(), Modifiers::default(), 1).expect("a known rule");
    let sizes = [160usize, 320, 640, 1280, 2560];
    let mut stream = Stream::new(1, Purpose::Teacher);
    let x: Vec<f32> = (0..sizes[4] * INPUTS).map(|_| stream.normal() as f32).collect();
    let labels: Vec<u8> = (0..sizes[4]).map(|_| stream.below(CLASSES as u64) as u8).collect();
    let points = sizes.map(|n| {
        let settings = settings(&THRESHOLDS, n as u64);
        let training = Training { batch: BATCH, lr: Some(1e-3) };
        let mut best = f64::INFINITY;
        for _ in 0..2 {
            let begun = Instant::now();
            let samples = Samples { x: &x[..n * INPUTS], labels: &labels[..n] };
            std::hint::black_box(audit::measure(&learner, samples, training, &settings, 1));
            best = best.min(begun.elapsed().as_secs_f64());
        }
        (n as f64, best, n as f64)
    });
    Growth {
        against: "samples",
        label: "Samples of an audit, $d = 64$, $L = 2$",
        unit: "Seconds per audit",
        series: "audit",
        points: points.to_vec(),
    }
}

/// Seconds of a sweep on all cores along its number of runs.
fn sweeps() -> Result<Growth, Box<dyn std::error::Error>> {
    let mut points = Vec::new();
    for runs in [2usize, 4, 8, 16] {
        let seeds: Vec<String> = (1..=runs).map(|seed| seed.to_string()).collect();
        let recipe = format!(
            "data.name = 'digits'\nrule.name = 'dfa'\nnet.d = 128\ntrain.epochs = 10\naudit.every = 0.0\nseed = [{}]",
            seeds.join(", ")
        );
        let specs = Recipe::parse(&recipe, "growth")?.runs()?;
        let mut best = f64::INFINITY;
        for _ in 0..2 {
            let out = tempfile::tempdir()?;
            let options = Options {
                out: out.path().to_owned(),
                folder: Folder::at(""),
                jobs: None,
                threads: Some(1),
                resume: false,
                checkpoint_every: Duration::from_secs(3600),
            };
            let begun = Instant::now();
            for ending in run_all(&specs, &options, &|_| Vec::new(), &Interrupt::new())? {
                ending?;
            }
            best = best.min(begun.elapsed().as_secs_f64());
        }
        points.push((runs as f64, best, runs as f64));
    }
    let label = "Runs of a sweep, digits, $d = 128$";
    Ok(Growth { against: "runs", label, unit: "Seconds per sweep", series: "sweep", points })
}
