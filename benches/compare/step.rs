//! One training step on one thread: ours in this process, PyTorch's three arrangements in children.

use crate::bench::{Bench, in_words};
use crate::child::Talker;
use creditscope_benches::sample::{Sample, turns};
use creditscope_benches::section::{Row, Section, Side};
use creditscope_benches::{BATCH, StepTimer, flop, peak};
use serde_json::json;
use std::time::{Duration, Instant};

const TITLE: &str = "A training step: one thread, batch 128, 3072 inputs, 10 classes";
const RULES: [&str; 3] = ["bp", "fa", "dfa"];
const SIZES: [(usize, usize); 3] = [(128, 2), (256, 4), (512, 12)];
/// Compiling a case takes long: with `--quick`, only this size is compiled.
const MAIN_SIZE: (usize, usize) = (256, 4);
/// Ours, and PyTorch's arrangements as `torch/step.py` names them.
const SIDES: [&str; 4] = ["ours", "fused", "default", "compile"];
const TITLES: [&str; 4] =
    ["ours", "PyTorch, fused AdamW", "PyTorch, default AdamW", "PyTorch, torch.compile, fused AdamW"];
/// Long enough to prepare and compile a case.
const LIMIT: Duration = Duration::from_secs(120);
/// Limit for preparing and compiling all cases.
const COMPILING: Duration = Duration::from_secs(240);

#[derive(Clone, Copy)]
struct StepCase {
    rule: &'static str,
    d: usize,
    blocks: usize,
}
/// Milliseconds of steps, or why none were timed.
type Times = Result<Vec<f64>, String>;

/// Milliseconds per step of every case and side.
pub(crate) fn measure(bench: &Bench) -> Vec<Section> {
    let rounds = bench.rounds(10, 3);
    let steps = if bench.quick { 3 } else { 5 };
    let cases: Vec<StepCase> =
        SIZES.iter().flat_map(|&(d, blocks)| RULES.map(|rule| StepCase { rule, d, blocks })).collect();
    let mut players = match Players::new(bench, &cases) {
        Ok(players) => players,
        Err(why) => return vec![Section::skipped("step", TITLE, &why)],
    };
    let mut times = warm_up(bench, &cases, &mut players);
    let mut limit = 0.0f64;
    for round in 0..rounds {
        eprintln!("  step: round {} of {rounds}", round + 1);
        limit = limit.max(peak());
        for (number, case) in cases.iter().enumerate() {
            for side in turns(round, SIDES.len()) {
                let times = &mut times[number][side];
                let Ok(known) = times else { continue };
                match players.take(number, *case, side, steps) {
                    Ok(more) => known.extend(more),
                    Err(why) => *times = Err(why),
                }
            }
        }
    }
    let rows = cases.iter().zip(times).map(|(case, times)| row(*case, times, limit)).collect();
    let notes = vec![
        format!(
            "{} of {steps} steps each. The FMA peak of a core is {limit:.1} GFLOP/s; the share of it counts matrix \
             products only, not LayerNorm, GELU, softmax and AdamW.",
            in_words(rounds)
        ),
        "The batch is fixed and random: no data is loaded.".to_owned(),
    ];
    vec![Section { name: "step", title: TITLE.to_owned(), unit: "ms", rows, notes }]
}

/// Prepares every case on every side; a side that cannot gets an error in place of its times.
fn warm_up(bench: &Bench, cases: &[StepCase], players: &mut Players) -> Vec<Vec<Times>> {
    let begun = Instant::now();
    let mut prepare = |number: usize, case: StepCase, side: usize| -> Times {
        let compiles = SIDES[side] == "compile";
        if compiles && bench.quick && (case.d, case.blocks) != MAIN_SIZE {
            return Err("omitted by --quick".to_owned());
        }
        if compiles && begun.elapsed() > COMPILING {
            return Err(format!("preparing the cases before it took {} s", COMPILING.as_secs()));
        }
        let prepared = players.take(number, case, side, 1).map(|_| Vec::new());
        prepared.map_err(|why| if compiles { format!("torch.compile: {why}") } else { why })
    };
    let all_sides = |(number, &case): (usize, &StepCase)| {
        eprintln!("  step: preparing {}, d = {}, L = {}", case.rule, case.d, case.blocks);
        (0..SIDES.len()).map(|side| prepare(number, case, side)).collect()
    };
    cases.iter().enumerate().map(all_sides).collect()
}

/// Everything that can take a step.
struct Players {
    ours: Vec<StepTimer>,
    eager: Talker,
    compiled: Talker,
}

impl Players {
    fn new(bench: &Bench, cases: &[StepCase]) -> Result<Self, String> {
        let timer = |case: &StepCase| StepTimer::new(case.rule, case.d, case.blocks, BATCH);
        let ours = cases.iter().map(timer).collect::<Result<_, _>>()?;
        let child = || Talker::start(bench.script("step.py"), LIMIT);
        Ok(Self { ours, eager: child()?, compiled: child()? })
    }

    /// Milliseconds of some steps of a case by a side.
    fn take(
        &mut self,
        number: usize,
        StepCase { rule, d, blocks }: StepCase,
        side: usize,
        steps: usize,
    ) -> Result<Vec<f64>, String> {
        let child = match SIDES[side] {
            "ours" => return Ok(self.ours[number].time(steps)),
            "compile" => &mut self.compiled,
            _ => &mut self.eager,
        };
        let order =
            json!({ "rule": rule, "d": d, "blocks": blocks, "arrangement": SIDES[side], "steps": steps });
        let answer = child.ask(&order, LIMIT)?;
        let times = answer["ms"].as_array().ok_or("an answer without ms")?;
        Ok(times.iter().filter_map(serde_json::Value::as_f64).collect())
    }
}

fn row(StepCase { rule, d, blocks }: StepCase, times: Vec<Times>, limit: f64) -> Row {
    let side = |(name, times): (&str, Times)| Side {
        name: name.to_owned(),
        sample: times.and_then(|times| Sample::of(times).ok_or_else(|| "no step was timed".to_owned())),
    };
    let sides: Vec<Side> = TITLES.into_iter().zip(times).map(side).collect();
    let best = sides[0].sample.as_ref().ok().map(Sample::best);
    let share = best.map(|best| flop(rule, d, blocks, BATCH) / (best * 1e6) / limit);
    Row { case: format!("{rule}, d = {d}, L = {blocks}"), sides, share }
}
