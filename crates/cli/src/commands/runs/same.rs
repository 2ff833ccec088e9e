//! Whether two runs measured the same, to the last digit. Times are left out: they differ on every day.

use record::{Epoch, Run};
use serde_json::Value;

/// How the results of two runs compare.
#[derive(Debug, PartialEq)]
pub(super) enum Likeness {
    /// Equal, up to the last epoch that both have.
    Equal { until: u64 },
    /// Different, and where first.
    Different { place: String },
}

/// Compares all epochs that both runs have and, where both ended with the same epoch, their drifts. Where they were not
/// measured alike, only what training itself gave is compared.
pub(super) fn likeness(a: &Run, b: &Run, measured_alike: bool) -> Likeness {
    let pairs = a.epochs.iter().zip(&b.epochs);
    for (a, b) in pairs.clone() {
        // A shorter run is audited at an end of its own.
        let both_audited = a.audit.is_some() && b.audit.is_some();
        let [x, y] = [a, b].map(|epoch| comparable(epoch, measured_alike, both_audited));
        if let Some(place) = first_difference(&x, &y, "") {
            return Likeness::Different { place: format!("epoch {}, {place}", a.epoch) };
        }
    }
    if let (Some(drift_a), Some(drift_b)) = (&a.record.drift, &b.record.drift)
        && a.epochs.len() == b.epochs.len()
        && drift_a != drift_b
    {
        let differs = |name: &&String| drift_a.get(*name) != drift_b.get(*name);
        let name = drift_a.keys().chain(drift_b.keys()).find(differs);
        return Likeness::Different { place: format!("drift of {}", name.map_or("", String::as_str)) };
    }
    Likeness::Equal { until: pairs.map(|(a, _)| a.epoch).max().unwrap_or(0) }
}

/// An epoch as it would be written, where NaN is a word and equals itself.
fn comparable(epoch: &Epoch, evaluation: bool, audit: bool) -> Value {
    let mut value = serde_json::to_value(epoch.timeless()).unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|name, _| match name.as_str() {
            "evaluation" => evaluation,
            "audit" => evaluation && audit,
            _ => true,
        });
    }
    value
}

/// The path of the first value in which two trees differ, such as `evaluation.hidden.2`.
fn first_difference(a: &Value, b: &Value, at: &str) -> Option<String> {
    let join = |key: &str| if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
    match (a, b) {
        (Value::Object(x), Value::Object(y)) if x.keys().eq(y.keys()) => {
            x.iter().find_map(|(key, value)| first_difference(value, &y[key], &join(key)))
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            x.iter().zip(y).enumerate().find_map(|(i, (x, y))| first_difference(x, y, &join(&i.to_string())))
        }
        _ => (a != b).then(|| at.to_owned()),
    }
}
