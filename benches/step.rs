//! The training step, timed on one thread: `cargo bench -p creditscope-benches --bench step`.

use creditscope_benches::{BATCH, StepTimer, flop, peak};

/// Rule, d, L, and whether gradients are clipped.
const CASES: [(&str, usize, usize, bool); 8] = [
    ("bp", 256, 4, false),
    ("bp", 256, 4, true),
    ("dfa", 256, 4, false),
    ("dfa", 256, 4, true),
    ("bp", 512, 12, false),
    ("bp", 512, 12, true),
    ("dfa", 512, 12, false),
    ("dfa", 512, 12, true),
];

fn main() {
    let mut timers = CASES.map(|(rule, d, blocks, clipped)| {
        let timer = if clipped { StepTimer::clipped } else { StepTimer::new };
        timer(rule, d, blocks, BATCH).expect("a known rule")
    });
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
    println!("{:<24} {:>9} {:>10} {:>14}", "step", "best ms", "median ms", "share of peak");
    for ((rule, d, blocks, clipped), times) in CASES.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let best = times[0];
        let median = times[times.len() / 2];
        let share = flop(rule, *d, *blocks, BATCH) / (best * 1e6) / limit;
        println!(
            "{:<24} {best:>9.2} {median:>10.2} {:>13.0}%",
            format!("{rule} d={d} L={blocks}{}", if *clipped { " clipped" } else { "" }),
            100.0 * share
        );
    }
}
