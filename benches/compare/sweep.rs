//! Several runs on all cores, from the start of the first process to the end of the last.

use crate::bench::{Bench, in_words};
use crate::ours::Training;
use crate::process::{run, run_together};
use crate::turns::{Reading, Taken, Turn, row, take_turns};
use creditscope_benches::section::Section;
use std::process::Command;

const SIDES: [&str; 3] = [
    "ours, one process",
    "PyTorch, one process per core, one thread each",
    "PyTorch, one process, all threads",
];

/// Seconds and memory of whole processes, including what they do before and after their runs.
pub(crate) fn measure(bench: &Bench) -> Vec<Section> {
    let rules: &[&str] = if bench.quick { &["dfa"] } else { &["bp", "fa", "dfa"] };
    let seeds = [1, 2];
    let runs: Vec<(&str, u64)> =
        seeds.iter().flat_map(|&seed| rules.iter().map(move |&rule| (rule, seed))).collect();
    let title = format!(
        "{} runs ({} with two seeds) of one epoch on {} cores, whole processes",
        runs.len(),
        rules.join(", "),
        bench.cores
    );
    if let Err(why) = &bench.cifar {
        return vec![Section::skipped("sweep", &title, why)];
    }
    let rounds = bench.rounds(2, 1);
    let training =
        Training { rules, seeds: &seeds, epochs: 1, jobs: bench.cores.min(runs.len()), threads: 1 };
    let taken = take_turns(
        "sweep",
        rounds,
        vec![
            Turn::new(SIDES[0], || ours(bench, training)),
            Turn::new(SIDES[1], || a_process_per_core(bench, &runs)),
            Turn::new(SIDES[2], || one_process(bench, &runs)),
        ],
    );
    let sides = SIDES.map(|name| (name, Taken::of(&taken, name)));
    let notes = vec![format!(
        "{}. Each run ends with a checkpoint and its log on disk; ours also waits until the disk has synced them. The memory \
         of several processes is the sum of their maxima.",
        in_words(rounds)
    )];
    let rows = vec![row("seconds", &sides, 0), row("memory, MB", &sides, 1)];
    vec![Section { name: "sweep", title, unit: "s, MB", rows, notes }]
}

fn ours(bench: &Bench, training: Training<'_>) -> Reading {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let ended = training.run(bench, &folder.path().join("runs"))?;
    Ok(vec![ended.seconds, ended.memory])
}

/// Runs are distributed in turn, so that every core gets the same number and every rule.
fn a_process_per_core(bench: &Bench, runs: &[(&str, u64)]) -> Reading {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let commands = (0..bench.cores.min(runs.len()))
        .map(|core| {
            let share: Vec<_> = runs.iter().skip(core).step_by(bench.cores).copied().collect();
            command(bench, &share, folder.path(), 1)
        })
        .collect::<Result<_, _>>()?;
    let ended = run_together(commands)?;
    Ok(vec![ended.seconds, ended.memory])
}

fn one_process(bench: &Bench, runs: &[(&str, u64)]) -> Reading {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let ended = run(command(bench, runs, folder.path(), bench.cores)?)?;
    Ok(vec![ended.seconds, ended.memory])
}

fn command(
    bench: &Bench,
    runs: &[(&str, u64)],
    out: &std::path::Path,
    threads: usize,
) -> Result<Command, String> {
    let names: Vec<String> = runs.iter().map(|(rule, seed)| format!("{rule}:{seed}")).collect();
    let mut command = bench.script("sweep.py");
    command.arg(bench.cifar.as_ref().map_err(Clone::clone)?).arg(out);
    command.args(["--threads", &threads.to_string(), "--runs", &names.join(",")]);
    Ok(command)
}
