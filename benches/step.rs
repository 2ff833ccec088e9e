//! The training step, timed on one thread: `cargo bench -p creditscope-benches --bench step`.

use creditscope_benches::{BATCH, Case, flop, peak};

const CASES: [(&str, usize, usize); 4] = [("bp", 256, 4), ("dfa", 256, 4), ("bp", 512, 12), ("dfa", 512, 12)];

fn main() {
    let mut cases: Vec<_> = CASES
        .iter()
        .map(|&(rule, d, blocks)| Case::new(rule, d, blocks, BATCH).expect("a known rule"))
        .collect();
    let (mut times, mut limit) = (vec![Vec::new(); CASES.len()], 0.0f64);
    // In turns, so that a disturbance of the machine falls on all of them.
    for _ in 0..12 {
        limit = limit.max(peak());
        for (case, times) in cases.iter_mut().zip(&mut times) {
            times.extend(case.time(5));
        }
    }
    println!("one thread, batch 128; FMA peak of a core {limit:.1} GFLOP/s\n");
    println!("{:<16} {:>9} {:>10} {:>14}", "step", "best ms", "median ms", "share of peak");
    for ((rule, d, blocks), times) in CASES.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let (best, median) = (times[0], times[times.len() / 2]);
        let share = flop(rule, *d, *blocks, BATCH) / (best * 1e6) / limit;
        println!(
            "{:<16} {best:>9.2} {median:>10.2} {:>13.0}%",
            format!("{rule} d={d} L={blocks}"),
            100.0 * share
        );
    }
}
