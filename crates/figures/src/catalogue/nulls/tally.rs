//! How many units beat chance, in words.

use super::draw::{Measure, evidence};
use crate::reader::Trial;
use record::Measured;
use record::audit::Place;

/// How a unit compares with chance, over all seeds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VersusChance {
    /// Above every draw of every null, for every seed.
    Above,
    /// Below every draw, for every seed.
    Below,
    /// Within the draws of some null and seed.
    Within,
    Unreliable,
    Undefined,
    /// Measured, but no null applies.
    Open,
    NotMeasured,
}

fn compare(trials: &[&Trial], unit: usize, measure: Measure) -> VersusChance {
    let mut places = Vec::new();
    let mut found = false;
    for trial in trials {
        let Some(evidence) = evidence(trial, unit) else { continue };
        let Some(measured) = measure.value(evidence) else { continue };
        found = true;
        match measured {
            Measured::Defined { .. } => {}
            Measured::Unreliable { .. } => return VersusChance::Unreliable,
            Measured::Undefined { .. } => return VersusChance::Undefined,
        }
        places.extend(evidence.nulls.iter().filter(|null| measure.is_of(null)).map(|null| null.place));
    }
    match &places[..] {
        [] if found => VersusChance::Open,
        [] => VersusChance::NotMeasured,
        all if all.iter().all(|place| *place == Place::Above) => VersusChance::Above,
        all if all.iter().all(|place| *place == Place::Below) => VersusChance::Below,
        _ => VersusChance::Within,
    }
}

/// The title of a panel: `Cosine: 2 of 5 beat chance, 1 misleads`.
pub(super) fn sentence(measure: Measure, trials: &[&Trial], units: usize) -> String {
    let all: Vec<VersusChance> = (0..units).map(|unit| compare(trials, unit, measure)).collect();
    let count = |wanted: VersusChance| all.iter().filter(|found| **found == wanted).count();
    let name = measure.name();
    if count(VersusChance::NotMeasured) == units {
        return format!("{name}: not measured");
    }
    let judged = units - count(VersusChance::Open) - count(VersusChance::NotMeasured);
    if judged == 0 {
        return format!("{name}: no null applies");
    }
    let above = count(VersusChance::Above);
    let s = if above == 1 { "s" } else { "" };
    let mut parts = vec![format!("{name}: {above} of {judged} beat{s} chance")];
    match count(VersusChance::Below) {
        0 => {}
        1 => parts.push("1 misleads".to_owned()),
        below => parts.push(format!("{below} mislead")),
    }
    for (kind, word) in [(VersusChance::Unreliable, "unreliable"), (VersusChance::Undefined, "undefined")] {
        if count(kind) > 0 {
            parts.push(format!("{} {word}", count(kind)));
        }
    }
    parts.join(", ")
}
