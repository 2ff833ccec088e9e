//! An epoch of CIFAR-10: crop and flip, training, the test set, norms and cosines.

use crate::bench::{Bench, in_words};
use crate::ours::{Training, last_epoch_seconds, run_folder};
use crate::process::run;
use crate::turns::{Reading, Taken, Turn, row, take_turns};
use creditscope_benches::section::{Row, Section};

const TITLE: &str = "An epoch of CIFAR-10 with crop, flip and evaluation: dfa, d = 256, L = 4";
const MEMORY: &str = "Largest resident memory of those processes, data included";
const OTHER: &str = "PyTorch, eager, fused AdamW";

/// Seconds of the second epoch, and the memory of the process.
pub(crate) fn measure(bench: &Bench) -> Vec<Section> {
    if let Err(why) = &bench.cifar {
        return vec![Section::skipped("epoch", TITLE, why), Section::skipped("memory", MEMORY, why)];
    }
    let rounds = bench.rounds(3, 1);
    let threads: &[(usize, &str)] = if bench.quick || bench.cores < 2 {
        &[(1, "one thread")]
    } else {
        &[(1, "one thread"), (2, "two threads")]
    };
    let mut seconds = Vec::new();
    let mut memory = Vec::new();
    let names: Vec<[String; 2]> =
        threads.iter().map(|(_, words)| [format!("ours, {words}"), format!("PyTorch, {words}")]).collect();
    let sides = threads.iter().zip(&names).flat_map(|(&(threads, _), [ours, theirs])| {
        [
            Turn::new(ours, move || our_epoch(bench, threads)),
            Turn::new(theirs, move || their_epoch(bench, threads)),
        ]
    });
    let taken = take_turns("epoch", rounds, sides.collect());
    for ((_, words), [ours, theirs]) in threads.iter().zip(&names) {
        let sides = [("ours", Taken::of(&taken, ours)), (OTHER, Taken::of(&taken, theirs))];
        seconds.push(row(words, &sides, 0));
        memory.push(row(words, &sides, 1));
    }
    let section = |name, title: &str, unit, rows: Vec<Row>, notes| Section {
        name,
        title: title.to_owned(),
        unit,
        rows,
        notes,
    };
    let of_seconds = vec![format!(
        "{}, each in new processes; the second of two epochs. PyTorch cuts and flips u8 tensors in batches.",
        in_words(rounds)
    )];
    vec![section("epoch", TITLE, "s", seconds, of_seconds), section("memory", MEMORY, "MB", memory, vec![])]
}

fn our_epoch(bench: &Bench, threads: usize) -> Reading {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let out = folder.path().join("runs");
    let ended = Training { rules: &["dfa"], seeds: &[1], epochs: 2, jobs: 1, threads }.run(bench, &out)?;
    let metrics = std::fs::read_to_string(run_folder(&out, "dfa", 1).join("metrics.jsonl"));
    Ok(vec![last_epoch_seconds(&metrics.map_err(|error| error.to_string())?)?, ended.memory])
}

fn their_epoch(bench: &Bench, threads: usize) -> Reading {
    let mut command = bench.script("epoch.py");
    command.arg(bench.cifar.as_ref().map_err(Clone::clone)?).args(["--threads", &threads.to_string()]);
    let ended = run(command)?;
    Ok(vec![last_epoch_seconds(&ended.outputs[0])?, ended.memory])
}
