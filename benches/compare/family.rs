//! A training step of the other networks and of the bridges on one thread, ours in this process, PyTorch's in a child.

use crate::bench::{Bench, in_words};
use crate::child::Talker;
use creditscope_benches::sample::{Sample, turns};
use creditscope_benches::section::{Row, Section, Side};
use creditscope_benches::{BATCH, CLASSES, StepTimer};
use nn::{Net, ResnetSpec, VitSpec};
use serde_json::json;
use std::time::Duration;

const TITLE: &str = "A training step of other networks and rules: one thread, batch 128";
/// What is timed, as `torch/family.py` names it, and how it is shown.
const CASES: [(&str, &str); 4] = [
    ("vit", "bp, ViT-Mini"),
    ("resnet", "bp, ResNet"),
    ("state_bridge", "state_bridge, d = 256, L = 4"),
    ("credit_bridge", "credit_bridge, d = 256, L = 4"),
];
const SIDES: [&str; 2] = ["ours", "PyTorch, eager, fused AdamW"];
const LIMIT: Duration = Duration::from_secs(120);

fn ours(case: &str) -> Result<StepTimer, String> {
    let built = |net: Result<Net, nn::Error>| StepTimer::of(net.map_err(|e| e.to_string())?, "bp", BATCH);
    match case {
        "vit" => built(VitSpec::mini(3, 32, 32, CLASSES).build().map(Net::from)),
        "resnet" => built(ResnetSpec::default().build().map(Net::from)),
        rule => StepTimer::new(rule, 256, 4, BATCH),
    }
}

/// Milliseconds per step of every case and side.
pub(crate) fn measure(bench: &Bench) -> Vec<Section> {
    match timed(bench) {
        Ok(section) => vec![section],
        Err(why) => vec![Section::skipped("family", TITLE, &why)],
    }
}

fn timed(bench: &Bench) -> Result<Section, String> {
    let rounds = bench.rounds(10, 2);
    let steps = 2;
    let mut cases: Vec<StepTimer> = CASES.iter().map(|(name, _)| ours(name)).collect::<Result<_, _>>()?;
    let mut child = Talker::start(bench.script("family.py"), LIMIT)?;
    let mut times = vec![[Vec::new(), Vec::new()]; CASES.len()];
    for round in 0..rounds {
        eprintln!("  family: round {} of {rounds}", round + 1);
        for (number, (name, _)) in CASES.iter().enumerate() {
            for side in turns(round, SIDES.len()) {
                if side == 0 {
                    times[number][0].extend(cases[number].time(steps));
                    continue;
                }
                let answer = child.ask(&json!({ "case": name, "steps": steps }), LIMIT)?;
                let found = answer["ms"].as_array().ok_or("an answer without ms")?;
                times[number][1].extend(found.iter().filter_map(serde_json::Value::as_f64));
            }
        }
    }
    let side = |(name, times): (&str, Vec<f64>)| Side {
        name: name.to_owned(),
        sample: Sample::of(times).ok_or_else(|| "no step was timed".to_owned()),
    };
    let row = |((_, case), times): (&(&str, &str), [Vec<f64>; 2])| Row {
        case: (*case).to_owned(),
        sides: SIDES.into_iter().zip(times).map(side).collect(),
        share: None,
    };
    let rows = CASES.iter().zip(times).map(row).collect();
    let notes = vec![format!("{} of {steps} steps each; the batch is fixed and random.", in_words(rounds))];
    Ok(Section { name: "family", title: TITLE.to_owned(), unit: "ms", rows, notes })
}
