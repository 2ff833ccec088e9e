//! Prints how long it takes to load a data set and to write its batches of 128, plain and augmented.
//!
//! `cargo bench -p creditscope-benches --bench batch -- [NAME [FOLDER]]`; without a name, the digits.

use std::time::Instant;

use data::{BatchPosition, DataSpec, Folder, fill, load, order};

const BATCH: usize = 128;

fn main() -> Result<(), data::Error> {
    // Cargo adds `--bench` by itself.
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let source = DataSpec::named(arguments.next().as_deref().unwrap_or("digits"))?;
    let folder = arguments.next().map_or_else(Folder::default_location, |path| Ok(Folder::at(path)))?;
    let start = Instant::now();
    let data = load(&source, &folder)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{}: {} + {} samples of {} in {seconds:.2} s",
        data.name,
        data.train.len(),
        data.test.len(),
        data.inputs
    );
    println!("content {}", data.hash);
    let mut x = vec![0.0; BATCH * data.inputs];
    let mut labels = vec![0; BATCH];
    let batches = data.train.len() / BATCH;
    for augment in [false, true] {
        if augment && !source.can_augment() {
            continue;
        }
        let mut best = f64::INFINITY;
        for epoch in 0..5 {
            let order = order(42, epoch, data.train.len());
            let start = Instant::now();
            for batch in 0..batches {
                let position = BatchPosition { seed: 42, epoch, start: batch * BATCH };
                fill(&data.train, &order, position, augment, &mut x, &mut labels);
                std::hint::black_box(&x);
            }
            best = best.min(start.elapsed().as_secs_f64() / batches as f64);
        }
        println!("{} batch of {BATCH}: {:.4} ms", if augment { "augmented" } else { "plain" }, 1e3 * best);
    }
    Ok(())
}
