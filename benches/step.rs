//! The training step, timed on one thread: `cargo bench -p creditscope-benches --bench step`.
//!
//! With `--serve` it takes orders instead, a JSON line each, so that `compare.py` can run it in turns with PyTorch.

use creditscope_benches::{Case, flop, peak};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::BufRead;

const CASES: [(&str, usize, usize); 4] = [("bp", 256, 4), ("dfa", 256, 4), ("bp", 512, 12), ("dfa", 512, 12)];

fn main() {
    if std::env::args().any(|arg| arg == "--serve") { serve() } else { table() }
}

fn table() {
    let mut cases: Vec<_> =
        CASES.iter().map(|&(rule, d, blocks)| Case::new(rule, d, blocks).expect("a known rule")).collect();
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
        let share = flop(rule, *d, *blocks) / (best * 1e6) / limit;
        println!(
            "{:<16} {best:>9.2} {median:>10.2} {:>13.0}%",
            format!("{rule} d={d} L={blocks}"),
            100.0 * share
        );
    }
}

fn serve() {
    println!("{}", json!({ "ready": true }));
    let mut cases = BTreeMap::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        println!("{}", answer(&line, &mut cases).unwrap_or_else(|error| json!({ "error": error })));
    }
}

fn answer(line: &str, cases: &mut BTreeMap<(String, usize, usize), Case>) -> Result<Value, String> {
    let order: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
    if order["peak"] == true {
        return Ok(json!({ "gflops": peak() }));
    }
    let number = |key: &str| order[key].as_u64().map(|n| n as usize).ok_or(format!("{key} must be a number"));
    let rule = order["case"].as_str().ok_or("case must be a rule")?.to_owned();
    let key = (rule, number("d")?, number("blocks")?);
    if !cases.contains_key(&key) {
        cases.insert(key.clone(), Case::new(&key.0, key.1, key.2)?);
    }
    Ok(json!({ "ms": cases.get_mut(&key).map(|case| case.time(number("steps").unwrap_or(1))) }))
}
