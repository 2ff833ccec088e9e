//! The full audit of a checkpoint, timed on one core: `cargo bench -p creditscope-benches --bench audit`.
//!
//! 32 directions, 20 draws of each null, 1,280 samples, d = 256, L = 4.

use audit::{Samples, Thresholds, measure, settings};
use creditscope_benches::{CLASSES, INPUTS};
use nn::{Mlp, MlpSpec, Network};
use rules::{Learner, Modifiers};
use std::time::Instant;
use tensor::random::{Purpose, Stream};

const SAMPLES: usize = 1280;
const RULES: [&str; 3] = ["bp", "fa", "dfa"];

fn main() {
    let mut stream = Stream::new(1, Purpose::Teacher);
    let x: Vec<f32> = (0..SAMPLES * INPUTS).map(|_| stream.normal() as f32).collect();
    let labels: Vec<u8> = (0..SAMPLES).map(|_| stream.below(CLASSES as u64) as u8).collect();
    let settings = settings(&Thresholds::default(), SAMPLES as u64);
    println!("{:<16} {:>10}", "full audit", "seconds");
    for name in RULES {
        let net = MlpSpec::resmlp(INPUTS, 256, 4, CLASSES).build().expect("a network");
        let rule = rules::build(name, Network::<f32>::shape(&net), 1).expect("a known rule");
        let learner = Learner::<f32, Mlp>::new(net, rule, Modifiers::default(), 1);
        let begun = Instant::now();
        let found = measure(&learner, Samples { x: &x, labels: &labels }, 128, &settings);
        let seconds = begun.elapsed().as_secs_f64();
        println!(
            "{:<16} {seconds:>10.2}   rho of block 0 {:?}",
            name,
            found.units[1].here.as_ref().and_then(|e| e.rho)
        );
    }
}
