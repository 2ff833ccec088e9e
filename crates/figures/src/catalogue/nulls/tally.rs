//! How many units beat chance, in words.

use super::draw::{Measure, evidence};
use crate::reader::Trial;
use record::Measured;
use record::audit::Place;

/// How a unit stands, over all seeds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Above every draw of every chance, in every seed.
    Above,
    /// Below every draw, in every seed.
    Below,
    /// Among the draws of some chance or seed.
    Within,
    /// The value is unreliable.
    Unreliable,
    /// There is no value, as something is zero or not finite.
    Undefined,
    /// It was measured, but there is no chance to hold it against.
    Open,
    /// It was not measured.
    Missing,
}

fn stand(trials: &[&Trial], unit: usize, measure: Measure) -> Stand {
    let mut places = Vec::new();
    let mut found = false;
    for trial in trials {
        let Some(evidence) = evidence(trial, unit) else { continue };
        let Some(measured) = measure.of(evidence) else { continue };
        found = true;
        match measured {
            Measured::Defined { .. } => {}
            Measured::Unreliable { .. } => return Stand::Unreliable,
            Measured::Undefined { .. } => return Stand::Undefined,
        }
        places.extend(evidence.nulls.iter().filter(|null| measure.is_of(null)).map(|null| null.place));
    }
    match &places[..] {
        [] if found => Stand::Open,
        [] => Stand::Missing,
        all if all.iter().all(|place| *place == Place::Above) => Stand::Above,
        all if all.iter().all(|place| *place == Place::Below) => Stand::Below,
        _ => Stand::Within,
    }
}

/// How many units beat chance: `Cosine: 2 of 5 beat chance, 1 misleads`.
pub(super) fn sentence(measure: Measure, trials: &[&Trial], units: usize) -> String {
    let all: Vec<Stand> = (0..units).map(|unit| stand(trials, unit, measure)).collect();
    let count = |wanted: Stand| all.iter().filter(|stand| **stand == wanted).count();
    let name = measure.name();
    if count(Stand::Missing) == units {
        return format!("{name}: not measured");
    }
    let judged = units - count(Stand::Open) - count(Stand::Missing);
    if judged == 0 {
        return format!("{name}: no null applies");
    }
    let verb = |n: usize, one: &str, many: &str| if n == 1 { one.to_owned() } else { many.to_owned() };
    let above = count(Stand::Above);
    let mut parts = vec![format!("{name}: {above} of {judged} {} chance", verb(above, "beats", "beat"))];
    let below = count(Stand::Below);
    if below > 0 {
        parts.push(format!("{below} {}", verb(below, "misleads", "mislead")));
    }
    for (stand, word) in [(Stand::Unreliable, "unreliable"), (Stand::Undefined, "undefined")] {
        if count(stand) > 0 {
            parts.push(format!("{} {word}", count(stand)));
        }
    }
    parts.join(", ")
}
