//! The full audit of a checkpoint against the same measurements in PyTorch, on the same samples of the same network.
//!
//! Their results are compared too, since times of unequal work would mean nothing.

use crate::bench::{Bench, in_words};
use crate::ours::{Training, run_folder};
use crate::process::run;
use crate::turns::{Taken, Turn, row, take_turns};
use creditscope_benches::agreement::agreement;
use creditscope_benches::section::Section;
use serde_json::Value;
use std::cell::RefCell;
use std::path::Path;

const TITLE: &str = "The full audit of a checkpoint: dfa, d = 256, L = 4; 1,280 samples, 32 directions, 20 draws of each null";

/// Seconds of an audit, and whether both sides agree.
pub(crate) fn measure(bench: &Bench) -> Vec<Section> {
    if let Err(why) = &bench.cifar {
        return vec![Section::skipped("audit", TITLE, why)];
    }
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => return vec![Section::skipped("audit", TITLE, &error.to_string())],
    };
    let out = folder.path().join("runs");
    eprintln!("  audit: training the network to be audited");
    let training = Training { rules: &["dfa"], seeds: &[1], epochs: 1, jobs: 1, threads: 1 };
    if let Err(why) = training.run(bench, &out) {
        return vec![Section::skipped("audit", TITLE, &why)];
    }
    let checkpoint = run_folder(&out, "dfa", 1);
    let found = RefCell::new((Value::Null, Value::Null));
    let rounds = bench.rounds(3, 1);
    let ours = |threads| {
        let (reading, audit) = ours(bench, &checkpoint, threads)?;
        found.borrow_mut().0 = audit;
        Ok(reading)
    };
    let theirs = |threads| {
        let (reading, audit) = theirs(bench, &checkpoint, threads)?;
        found.borrow_mut().1 = audit;
        Ok(reading)
    };
    let mut sides = vec![
        Turn::new("ours, all cores", || ours(bench.cores)),
        Turn::new("PyTorch, all cores", || theirs(bench.cores)),
    ];
    if !bench.quick && bench.cores > 1 {
        sides.push(Turn::new("ours, one thread", || ours(1)));
        sides.push(Turn::new("PyTorch, one thread", || theirs(1)));
    }
    let arrangements = &["all cores", "one thread"][..sides.len() / 2];
    let taken = take_turns("audit", rounds, sides);
    let mut rows = Vec::new();
    for words in arrangements {
        let sides = ["ours", "PyTorch"].map(|side| (side, Taken::of(&taken, &format!("{side}, {words}"))));
        rows.push(row(&format!("{words}, whole process"), &sides, 0));
        rows.push(row(&format!("{words}, measuring alone"), &sides, 1));
    }
    let (ours, theirs) = found.into_inner();
    let notes = vec![
        format!(
            "{}. PyTorch's side omits drift, replays with random rounding and the verdict: well under a second.",
            in_words(rounds)
        ),
        agreement(&ours, &theirs),
    ];
    vec![Section { name: "audit", title: TITLE.to_owned(), unit: "s", rows, notes }]
}

/// Seconds of the process and of the measuring in it, and the audit. The seconds in `audit.json` would be wrong: an audit
/// with the same result as before leaves that file, with the seconds of an earlier turn.
fn ours(bench: &Bench, checkpoint: &Path, threads: usize) -> Result<(Vec<f64>, Value), String> {
    let mut command = bench.ours(&["audit", "--again", "--quiet", "--json"]);
    command.args(["--threads", &threads.to_string()]);
    command.arg("--data").arg(bench.cifar.as_ref().map_err(Clone::clone)?).arg(checkpoint);
    let ended = run(command)?;
    let set: Value = serde_json::from_str(&ended.outputs[0]).map_err(|error| error.to_string())?;
    finish(ended.seconds, set["audits"][0].clone())
}

fn theirs(bench: &Bench, checkpoint: &Path, threads: usize) -> Result<(Vec<f64>, Value), String> {
    let mut command = bench.script("audit.py");
    command.arg(checkpoint).arg(bench.cifar.as_ref().map_err(Clone::clone)?);
    command.args(["--threads", &threads.to_string()]);
    let ended = run(command)?;
    finish(ended.seconds, serde_json::from_str(&ended.outputs[0]).map_err(|error| error.to_string())?)
}

fn finish(seconds: f64, audit: Value) -> Result<(Vec<f64>, Value), String> {
    let measuring = audit["seconds"].as_f64().ok_or("an audit without its seconds")?;
    Ok((vec![seconds, measuring], audit))
}
