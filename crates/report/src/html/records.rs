//! What the script reads: what every run is, and its course in numbers.

use super::runs::RunPart;
use protocol::Moment;
use record::series::{At, Scale, Series, find};
use record::{Epoch, Measured, Run, Unit};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The colour of a rule, as figures draw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ink {
    /// As recipes name it.
    pub rule: String,
    /// As legends name it.
    pub title: String,
    /// `#b2182b`.
    pub colour: String,
}

/// The colours of heat maps, in even steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ramps {
    /// From −1 to 1.
    pub signed: Vec<String>,
    /// From the smallest value to the largest.
    pub rising: Vec<String>,
}

/// What the runs of a page share, and what each of them is. Without `curves`, no run has numbers layer by layer.
pub(super) fn about(runs: &[RunPart<'_>], inks: &[Ink], ramps: &Ramps, curves: bool) -> Value {
    let mut series: BTreeMap<String, (At, usize)> = BTreeMap::new();
    for epoch in runs.iter().flat_map(|part| &part.run.epochs) {
        for (name, found) in &epoch.evaluation.series {
            let (_, depth) = series.entry(name.clone()).or_insert((found.at, 0));
            *depth = found.values.len().max(*depth);
        }
    }
    let about = |(name, (at, depth)): (String, (At, usize))| {
        let known = find(&name);
        let scale = if known.is_some_and(|known| known.scale == Scale::Log) { "log" } else { "linear" };
        let heading = known.map_or(name.as_str(), |known| known.heading);
        let meaning = known.map_or("", |known| known.meaning);
        let places: Vec<String> = (0..depth).map(|layer| place(at, layer)).collect();
        let value =
            json!({"heading": heading, "meaning": meaning, "scale": scale, "at": at, "places": places});
        (name, value)
    };
    let ink = |ink: &Ink| (ink.rule.clone(), json!({"title": ink.title, "colour": ink.colour}));
    json!({
        "version": 2,
        "rules": inks.iter().map(ink).collect::<Map<_, _>>(),
        "ramp": {"linear": fine(&ramps.signed), "log": fine(&ramps.rising)},
        "scalars": SCALARS.map(|(name, _)| name),
        // In JavaScript, an object has no order of its own.
        "names": series.keys().collect::<Vec<_>>(),
        "series": series.into_iter().map(about).collect::<Map<_, _>>(),
        "runs": runs.iter().map(|part| of_run(part, key(part, runs), curves)).collect::<Vec<_>>(),
    })
}

/// What the page's address calls a run. Runs of several studies may share a name; their directories differ.
fn key<'a>(part: &'a RunPart<'_>, runs: &[RunPart<'_>]) -> &'a str {
    let id = &part.run.record.id;
    let is_shared = runs.iter().filter(|other| other.run.record.id == *id).nth(1).is_some();
    if is_shared { &part.path } else { id }
}

fn of_run(part: &RunPart<'_>, key: &str, curves: bool) -> Value {
    json!({
        "id": part.run.record.id,
        "key": key,
        "rule": part.run.record.rule,
        "network": part.network(),
        "seed": part.run.record.provenance.seed,
        "frozen": part.is_frozen(),
        "verdict": part.verdict().1,
        "keys": part.keys.iter().map(|(key, value)| (key.clone(), json!(value))).collect::<Map<_, _>>(),
        "layered": curves && part.is_layered(),
    })
}

/// A run's numbers epoch by epoch: each epoch by its distance from the one before, what is measured by its place in the lists of
/// [`about`].
pub(super) fn course(run: &Run, about: &Value) -> Value {
    let epochs = || run.epochs.iter().map(|epoch| epoch.epoch);
    let steps: Vec<i128> = epochs()
        .zip(std::iter::once(0).chain(epochs()))
        .map(|(epoch, before)| i128::from(epoch) - i128::from(before))
        .collect();
    let names = about["names"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let layers: Vec<Value> =
        names.enumerate().filter_map(|(at, name)| Some(json!([at, layers(run, name)?]))).collect();
    json!({"steps": steps, "scalars": scalars(&run.epochs), "layers": layers})
}

/// The colours of a ramp in so many steps that none is seen.
fn fine(ramp: &[String]) -> Vec<String> {
    const STEPS: usize = 64;
    let part = |colour: &String, channel: usize| {
        let digits = colour.get(1 + 2 * channel..3 + 2 * channel).unwrap_or("00");
        f64::from(u8::from_str_radix(digits, 16).unwrap_or(0))
    };
    let step = |step: usize| {
        let at = step as f64 / STEPS as f64 * ramp.len().saturating_sub(1) as f64;
        let (low, high) = (&ramp[at.floor() as usize], &ramp[at.ceil() as usize]);
        let mixed =
            |channel| (part(low, channel) + (part(high, channel) - part(low, channel)) * at.fract()).round();
        format!("#{:02x}{:02x}{:02x}", mixed(0) as u8, mixed(1) as u8, mixed(2) as u8)
    };
    if ramp.is_empty() { Vec::new() } else { (0..=STEPS).map(step).collect() }
}

type Reading = (&'static str, fn(&Epoch) -> Option<f64>);

/// One number after each epoch, by name.
const SCALARS: [Reading; 8] = [
    ("test_accuracy", |epoch| Some(epoch.test.accuracy)),
    ("test_loss", |epoch| Some(epoch.test.loss)),
    ("train_accuracy", |epoch| epoch.train.map(|score| score.accuracy)),
    ("train_loss", |epoch| epoch.train.map(|score| score.loss)),
    ("validation_accuracy", |epoch| epoch.validation.map(|score| score.accuracy)),
    ("growth", |epoch| Moment::of(epoch).growth),
    ("‖g_L‖ N=128", |epoch| Moment::of(epoch).gradient),
    ("‖e_T‖", |epoch| Some(epoch.evaluation.error)),
];

fn scalars(epochs: &[Epoch]) -> Vec<Value> {
    let of = |(at, (_, read)): (usize, &Reading)| {
        let values: Vec<Value> = epochs.iter().map(|epoch| read(epoch).map_or(Value::Null, number)).collect();
        let is_there = values.iter().any(|value| !value.is_null() && *value != json!("nan"));
        is_there.then(|| json!([at, values]))
    };
    SCALARS.iter().enumerate().filter_map(of).collect()
}

/// A series of the log, if the run has it: the course of each layer over the epochs, and a letter for each value that is
/// unreliable (`u`) or undefined (`x`).
fn layers(run: &Run, name: &str) -> Option<Value> {
    let series: Vec<Option<&Series>> =
        run.epochs.iter().map(|epoch| epoch.evaluation.series.get(name)).collect();
    let depth = series.iter().flatten().map(|series| series.values.len()).max()?;
    // Neighbours in time resemble one another more than neighbours in depth do, and pack better.
    let course = |layer: usize| -> Vec<Option<Measured>> {
        series.iter().map(|series| series.and_then(|series| series.values.get(layer).copied())).collect()
    };
    let courses: Vec<Vec<Option<Measured>>> = (0..depth).map(course).collect();
    let values: Vec<Vec<Value>> = courses.iter().map(|course| course.iter().map(shown).collect()).collect();
    let doubt: Vec<String> = courses.iter().map(|course| course.iter().map(letter).collect()).collect();
    let is_doubtful = doubt.iter().any(|letters| letters.contains(['u', 'x']));
    Some(if is_doubtful { json!({"values": values, "doubt": doubt}) } else { json!({"values": values}) })
}

fn place(at: At, layer: usize) -> String {
    match at {
        At::State => format!("h_{layer}"),
        At::Unit | At::BlockInput => Unit::at(at.unit(layer)).to_string(),
    }
}

fn shown(measured: &Option<Measured>) -> Value {
    measured.and_then(|measured| measured.value()).map_or(Value::Null, number)
}

fn letter(measured: &Option<Measured>) -> char {
    match measured {
        Some(Measured::Defined { .. }) => '.',
        Some(Measured::Unreliable { .. }) => 'u',
        Some(Measured::Undefined { .. }) => 'x',
        None => ' ',
    }
}

/// A number to three significant digits, as many as tables show; what JSON has no number for, in words.
fn number(x: f64) -> Value {
    match format!("{x:.2e}").parse::<f64>() {
        Ok(rounded) if rounded.is_finite() => json!(rounded),
        // The largest numbers would be rounded to infinity.
        _ if x.is_finite() => json!(x),
        _ if x.is_nan() => json!("nan"),
        _ => json!(if x > 0.0 { "inf" } else { "-inf" }),
    }
}

#[cfg(test)]
mod tests {
    use super::{fine, number};
    use serde_json::json;

    #[test]
    fn a_fine_ramp_goes_through_the_colours_of_the_coarse_one() {
        let ramp = ["#000000", "#804020", "#ffffff"].map(str::to_owned);
        let fine = fine(&ramp);
        assert_eq!([&fine[0], &fine[32], &fine[64]], [&ramp[0], &ramp[1], &ramp[2]]);
        assert_eq!(fine[16], "#402010");
    }

    #[test]
    fn numbers_keep_their_digits_and_words_say_the_rest() {
        let shown = [0.123_456, 4.216e-9, -1.0, 123_456.0, f64::NAN, f64::INFINITY, f64::MAX].map(number);
        let words = [json!("nan"), json!("inf"), json!(f64::MAX)];
        assert_eq!(shown[..4], [json!(0.123), json!(4.22e-9), json!(-1.0), json!(123_000.0)]);
        assert_eq!(shown[4..], words);
    }
}
