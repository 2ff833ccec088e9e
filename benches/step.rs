//! The training step, timed on one thread: `cargo bench -p creditscope-benches --bench step`.

use creditscope_benches::{BATCH, StepTimer, flop, peak};

const CASES: [(&str, usize, usize); 4] = [("bp", 256, 4), ("dfa", 256, 4), ("bp", 512, 12), ("dfa", 512, 12)];

fn main() {
    let mut timers =
        CASES.map(|(rule, d, blocks)| StepTimer::new(rule, d, blocks, BATCH).expect("a known rule"));
    let mut times = CASES.map(|_| Vec::new());
    let mut limit = 0.0f64;
    // In turns, so that a disturbance of the machine affects all of them.
    for _ in 0..12 {
        limit = limit.max(peak());
        for (timer, times) in timers.iter_mut().zip(&mut times) {
            times.extend(timer.time(5));
        }
    }
    println!("one thread, batch 128; FMA peak of a core {limit:.1} GFLOP/s\n");
    println!("{:<16} {:>9} {:>10} {:>14}", "step", "best ms", "median ms", "share of peak");
    for ((rule, d, blocks), times) in CASES.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let best = times[0];
        let median = times[times.len() / 2];
        let share = flop(rule, *d, *blocks, BATCH) / (best * 1e6) / limit;
        println!(
            "{:<16} {best:>9.2} {median:>10.2} {:>13.0}%",
            format!("{rule} d={d} L={blocks}"),
            100.0 * share
        );
    }
}
