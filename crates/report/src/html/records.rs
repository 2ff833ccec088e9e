//! What the script reads: every run in numbers, epoch by epoch to four significant digits, layer by layer to three.

use super::runs::RunPart;
use protocol::Moment;
use record::series::{At, Scale, Series, find, in_order};
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

/// The data of a page. Without `curves`, only what every run is and where it ended.
pub fn data(runs: &[RunPart<'_>], inks: &[Ink], ramps: &Ramps, keys: &[String], curves: bool) -> Value {
    let mut series = BTreeMap::new();
    for epoch in runs.iter().flat_map(|part| &part.run.epochs) {
        for (name, found) in &epoch.evaluation.series {
            series.entry(name.clone()).or_insert(found.at);
        }
    }
    let about = |(name, at): (String, At)| {
        let known = find(&name);
        let scale = if known.is_some_and(|known| known.scale == Scale::Log) { "log" } else { "linear" };
        let heading = known.map_or(name.as_str(), |known| known.heading);
        let meaning = known.map_or("", |known| known.meaning);
        let value =
            json!({"heading": heading, "label": heading, "meaning": meaning, "scale": scale, "at": at});
        (name, value)
    };
    let ink = |ink: &Ink| (ink.rule.clone(), json!({"title": ink.title, "colour": ink.colour}));
    json!({
        "version": 1,
        // A JSON object has no order that a reader may count on.
        "order": inks.iter().map(|ink| ink.rule.as_str()).collect::<Vec<_>>(),
        "rules": inks.iter().map(ink).collect::<Map<_, _>>(),
        "ramp": {"linear": ramps.signed, "log": ramps.rising},
        "series": series.into_iter().map(about).collect::<Map<_, _>>(),
        "keys": keys,
        "curves": curves,
        "runs": runs.iter().map(|part| of_run(part, curves)).collect::<Vec<_>>(),
    })
}

fn of_run(part: &RunPart<'_>, curves: bool) -> Value {
    let run = part.run;
    let mut value = json!({
        "id": run.record.id,
        "path": part.path,
        "rule": run.record.rule,
        "name": record::rules::title(&run.record.rule),
        "network": part.network(),
        "data": run.record.provenance.data,
        "seed": run.record.provenance.seed,
        "status": run.record.status.name(),
        "frozen": part.is_frozen(),
        "verdict": part.verdict().1,
        "keys": part.keys.iter().map(|(key, value)| (key.clone(), json!(value))).collect::<Map<_, _>>(),
        "asked": run.epochs_asked(),
    });
    if let (true, Some(object)) = (curves, value.as_object_mut()) {
        object.insert("epochs".to_owned(), run.epochs.iter().map(|epoch| epoch.epoch).collect());
        object.insert("scalars".to_owned(), scalars(&run.epochs));
        object.insert("layers".to_owned(), layers(run));
    }
    value
}

/// One number after each epoch, by name.
pub(super) const SCALARS: [(&str, fn(&Epoch) -> Option<f64>); 8] = [
    ("test_accuracy", |epoch| Some(epoch.test.accuracy)),
    ("test_loss", |epoch| Some(epoch.test.loss)),
    ("train_accuracy", |epoch| epoch.train.map(|score| score.accuracy)),
    ("train_loss", |epoch| epoch.train.map(|score| score.loss)),
    ("validation_accuracy", |epoch| epoch.validation.map(|score| score.accuracy)),
    ("growth", |epoch| Moment::of(epoch).growth),
    ("g_last_n128", |epoch| Moment::of(epoch).gradient),
    ("error", |epoch| Some(epoch.evaluation.error)),
];

fn scalars(epochs: &[Epoch]) -> Value {
    let of = |(name, read): &(&str, fn(&Epoch) -> Option<f64>)| {
        let values: Vec<Value> =
            epochs.iter().map(|epoch| read(epoch).map_or(Value::Null, |x| number(x, 4))).collect();
        let is_there = values.iter().any(|value| !value.is_null() && *value != json!("nan"));
        is_there.then(|| ((*name).to_owned(), Value::Array(values)))
    };
    Value::Object(SCALARS.iter().filter_map(of).collect())
}

/// Every series of the log: values, and a letter for each that is unreliable (`u`) or undefined (`x`).
fn layers(run: &Run) -> Value {
    let mut names: BTreeMap<String, Series> = BTreeMap::new();
    for epoch in &run.epochs {
        names.extend(epoch.evaluation.series.clone());
    }
    let of = |name: &str| {
        let widest =
            |epoch: &Epoch| epoch.evaluation.series.get(name).map_or(0, |series| series.values.len());
        let layers = run.epochs.iter().map(widest).max().unwrap_or(0);
        let values = |epoch: &Epoch| -> Vec<Measured> {
            epoch.evaluation.series.get(name).map(|series| series.values.clone()).unwrap_or_default()
        };
        let rows: Vec<Vec<Measured>> = run.epochs.iter().map(values).collect();
        let at = names[name].at;
        let mut value = json!({
            "at": (0..layers).map(|layer| place(at, layer)).collect::<Vec<_>>(),
            "values": rows.iter().map(|row| row.iter().map(shown).collect()).collect::<Vec<Vec<Value>>>(),
        });
        let doubt: Vec<String> = rows.iter().map(|row| row.iter().map(letter).collect()).collect();
        if let (true, Some(object)) = (doubt.concat().contains(['u', 'x']), value.as_object_mut()) {
            object.insert("doubt".to_owned(), json!(doubt));
        }
        (name.to_owned(), value)
    };
    Value::Object(in_order(&names).into_iter().map(of).collect())
}

fn place(at: At, layer: usize) -> String {
    match at {
        At::State => format!("h_{layer}"),
        At::Unit | At::BlockInput => Unit::at(at.unit(layer)).to_string(),
    }
}

fn shown(measured: &Measured) -> Value {
    measured.value().map_or(Value::Null, |x| number(x, 3))
}

fn letter(measured: &Measured) -> char {
    match measured {
        Measured::Defined { .. } => '.',
        Measured::Unreliable { .. } => 'u',
        Measured::Undefined { .. } => 'x',
    }
}

/// A number to so many significant digits; what JSON has no number for, in words.
fn number(x: f64, digits: usize) -> Value {
    match format!("{x:.*e}", digits - 1).parse::<f64>() {
        Ok(rounded) if rounded.is_finite() => json!(rounded),
        _ if x.is_nan() => json!("nan"),
        _ => json!(if x > 0.0 { "inf" } else { "-inf" }),
    }
}

#[cfg(test)]
mod tests {
    use super::number;
    use serde_json::json;

    #[test]
    fn numbers_keep_their_digits_and_words_say_the_rest() {
        let shown = [0.123_456, 4.214_99e-9, -1.0, 123_456.0, f64::NAN, f64::INFINITY].map(|x| number(x, 4));
        assert_eq!(
            shown,
            [json!(0.1235), json!(4.215e-9), json!(-1.0), json!(123_500.0), json!("nan"), json!("inf")]
        );
    }
}
