//! The cost of audits: `cargo bench -p creditscope-benches --bench audit`.
//!
//! First, what runs after every epoch, as a share of an epoch of CIFAR-10 (if the data are available), d = 256, L = 4.
//! Then the full audit of a checkpoint on one core: 1,280 samples, 32 directions, 20 draws of each null.

use audit::{Samples, Training, measure};
use creditscope_benches::{CLASSES, INPUTS};
use data::Folder;
use lab::{Interrupt, Options, Recipe, run_all};
use nn::{Mlp, MlpSpec};
use protocol::{THRESHOLDS, settings};
use rules::{Learner, Modifiers};
use std::time::{Duration, Instant};
use tensor::random::{Purpose, Stream};

const SAMPLES: usize = 1280;
const RULES: [&str; 3] = ["bp", "fa", "dfa"];
/// In turns, so that a disturbance of the machine affects all of them.
const ROUNDS: usize = 3;

fn main() {
    if let Err(error) = epochs() {
        println!("epochs not measured: {error}");
    }
    audits();
}

/// Two epochs of each rule: what the second took.
fn epochs() -> Result<(), Box<dyn std::error::Error>> {
    let recipe = "data.name = 'cifar10'\nrule.name = ['bp', 'fa', 'dfa']\ntrain.epochs = 2\naudit.every = 1.0\nseed = 1";
    let specs = Recipe::parse(recipe, "bench")?.runs()?;
    let out = tempfile::tempdir()?;
    let options = Options {
        out: out.path().to_owned(),
        folder: Folder::default_location()?,
        jobs: Some(1),
        threads: Some(1),
        resume: false,
        checkpoint_every: Duration::from_secs(3600),
    };
    for ending in run_all(&specs, &options, &|_| Vec::new(), &Interrupt::new())? {
        ending?;
    }
    println!(
        "{:<6} {:>10} {:>12} {:>20} {:>14}",
        "epoch", "train s", "test set", "norms and cosines", "small audit"
    );
    for spec in &specs {
        let run = record::Run::read(&out.path().join(&spec.id))?;
        let last = run.last().ok_or("no epoch")?;
        let share = |seconds: f64| format!("{:.2} %", 100.0 * seconds / last.train_seconds);
        println!(
            "{:<6} {:>10.2} {:>12} {:>20} {:>14}",
            spec.rule.name,
            last.train_seconds,
            share(last.test_seconds),
            share(last.evaluation_seconds),
            share(last.audit_seconds)
        );
    }
    println!();
    Ok(())
}

fn audits() {
    let mut stream = Stream::new(1, Purpose::Teacher);
    let x: Vec<f32> = (0..SAMPLES * INPUTS).map(|_| stream.normal() as f32).collect();
    let labels: Vec<u8> = (0..SAMPLES).map(|_| stream.below(CLASSES as u64) as u8).collect();
    let settings = settings(&THRESHOLDS, SAMPLES as u64);
    let learner = |name: &str| {
        let net = MlpSpec::resmlp(INPUTS, 256, 4, CLASSES).build().expect("a network");
        Learner::<f32, Mlp>::new(net, &name.into(), Modifiers::default(), 1).expect("a known rule")
    };
    let learners = RULES.map(learner);
    let training = Training { batch: 128, lr: Some(1e-3) };
    let mut times = RULES.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        for (learner, times) in learners.iter().zip(&mut times) {
            let begun = Instant::now();
            std::hint::black_box(measure(
                learner,
                Samples { x: &x, labels: &labels },
                training,
                &settings,
                1,
            ));
            times.push(begun.elapsed().as_secs_f64());
        }
    }
    println!("{:<16} {:>8} {:>10}", "full audit", "best s", "median s");
    for (name, times) in RULES.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        println!("{name:<16} {:>8.2} {:>10.2}", times[0], times[times.len() / 2]);
    }
}
