//! Whether two audits of one checkpoint found the same. Directions are drawn at random on both sides, so ρ agrees only as
//! far as chance lets it; everything else is the same arithmetic on the same numbers.

use serde_json::Value;

/// A quantity: its name, how far the two may differ, and whether that is a share of the value.
const LIMITS: [(&str, f64, bool); 6] = [
    ("cosine", 1e-3, false),
    ("rho", 0.05, false),
    ("nudge", 0.03, true),
    ("gradient's nudge", 0.03, true),
    ("norms", 1e-3, true),
    ("direction stability", 1e-3, false),
];

/// A sentence that says how well they agree, or where they do not.
pub(crate) fn agreement(ours: &Value, theirs: &Value) -> String {
    if ours.is_null() || theirs.is_null() {
        return "The numbers were not held against each other: a side was not measured.".to_owned();
    }
    let pairs = pairs(ours, theirs);
    let (mut agree, mut differ) = (Vec::new(), Vec::new());
    for (quantity, limit, relative) in LIMITS {
        let of_it: Vec<_> = pairs.iter().filter(|pair| pair.0 == quantity).collect();
        let difference = |ours: f64, theirs: f64| {
            let scale = if relative { ours.abs().max(theirs.abs()) } else { 1.0 };
            (ours - theirs).abs() / scale
        };
        // A number that is missing makes the difference NaN, and no NaN is within a limit.
        let worst = of_it
            .iter()
            .map(|pair| difference(pair.1, pair.2))
            .fold(0.0, |a: f64, b| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) });
        let words = format!("{quantity} {worst:.1e} of {limit} allowed ({} values)", of_it.len());
        if !of_it.is_empty() && worst <= limit { agree.push(words) } else { differ.push(words) }
    }
    if differ.is_empty() {
        format!("Both sides found the same; largest differences: {}.", agree.join(", "))
    } else {
        format!("THE TWO SIDES DISAGREE, so their times cannot be compared: {}.", differ.join(", "))
    }
}

/// Quantity, ours, theirs.
fn pairs(ours: &Value, theirs: &Value) -> Vec<(&'static str, f64, f64)> {
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    // What ours calls undefined has no value, and is a difference.
    let measured = |value: &Value| number(&value["value"]);
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut pairs = Vec::new();
    for (ours, theirs) in list(&ours["units"]).iter().zip(list(&theirs["units"])) {
        pairs.push(("norms", number(&ours["credit"]), number(&theirs["credit"])));
        for place in ["here", "paper"].into_iter().filter(|place| !ours[*place].is_null()) {
            let (a, b) = (&ours[place], &theirs[place]);
            pairs.push(("cosine", measured(&a["cosine"]), number(&b["cosine"]["value"])));
            pairs.push(("rho", measured(&a["rho"]["value"]), number(&b["rho"]["value"])));
            pairs.push(("rho", measured(&a["rho"]["gradient"]), number(&b["rho_gradient"])));
            for (index, nudge) in list(&a["nudges"]).iter().enumerate() {
                pairs.push(("nudge", measured(&nudge["change"]), number(&b["nudges"][index])));
                let best = number(&b["nudges_gradient"][index]);
                pairs.push(("gradient's nudge", measured(&nudge["gradient"]), best));
            }
        }
    }
    for (ours, theirs) in list(&ours["states"]).iter().zip(list(&theirs["states"])) {
        for key in ["hidden", "gradient"] {
            pairs.push(("norms", number(&ours[key]), number(&theirs[key])));
        }
    }
    let checks = list(&ours["checks"]);
    let direction =
        checks.iter().find(|check| check["check"] == "direction").map(|check| number(&check["statistic"]));
    pairs.push(("direction stability", direction.unwrap_or(f64::NAN), number(&theirs["direction"])));
    pairs
}
