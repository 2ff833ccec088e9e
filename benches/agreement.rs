//! Whether two audits of one checkpoint agree. Directions are random on both sides, so ρ agrees only up to chance;
//! everything else is the same arithmetic on the same numbers.

use serde_json::Value;

/// Quantities: name, allowed difference, and whether that is relative.
const LIMITS: [(&str, f64, bool); 6] = [
    ("cosine", 1e-3, false),
    ("rho", 0.05, false),
    ("nudge", 0.03, true),
    ("gradient's nudge", 0.03, true),
    ("norms", 1e-3, true),
    ("direction stability", 1e-3, false),
];

/// A sentence on how well they agree, or where they do not.
pub fn agreement(ours: &Value, theirs: &Value) -> String {
    if ours.is_null() || theirs.is_null() {
        return "The numbers were not compared: one side was not measured.".to_owned();
    }
    let pairs = pairs(ours, theirs);
    let mut agree = Vec::new();
    let mut differ = Vec::new();
    for (quantity, limit, relative) in LIMITS {
        let compared: Vec<_> = pairs.iter().filter(|pair| pair.0 == quantity).collect();
        let difference = |ours: f64, theirs: f64| {
            let scale = if relative { ours.abs().max(theirs.abs()) } else { 1.0 };
            (ours - theirs).abs() / scale
        };
        // A missing number makes the difference NaN, which is never within a limit.
        let worst = compared
            .iter()
            .map(|pair| difference(pair.1, pair.2))
            .fold(0.0, |a: f64, b| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) });
        let words = format!("{quantity} {worst:.1e} of {limit} allowed ({} values)", compared.len());
        if !compared.is_empty() && worst <= limit { agree.push(words) } else { differ.push(words) }
    }
    if differ.is_empty() {
        format!("Both sides agree; largest differences: {}.", agree.join(", "))
    } else {
        format!("THE TWO SIDES DISAGREE, so their times cannot be compared: {}.", differ.join(", "))
    }
}

/// Quantity, ours, theirs.
fn pairs(ours: &Value, theirs: &Value) -> Vec<(&'static str, f64, f64)> {
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    // An undefined value of ours counts as a difference.
    let measured = |value: &Value| number(&value["value"]);
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut pairs = Vec::new();
    // By index, so that a value missing on the other side counts as a difference.
    for (index, ours) in list(&ours["units"]).iter().enumerate() {
        let theirs = &theirs["units"][index];
        pairs.push(("norms", number(&ours["credit"]), number(&theirs["credit"])));
        for key in ["here", "at_input"].into_iter().filter(|key| !ours[*key].is_null()) {
            let a = &ours[key];
            let b = &theirs[key];
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
    for (index, ours) in list(&ours["states"]).iter().enumerate() {
        let theirs = &theirs["states"][index];
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ours() -> Value {
        let value = |value: f64| json!({ "state": "defined", "value": value });
        let here = json!({
            "cosine": value(0.35), "rho": { "value": value(0.2), "gradient": value(1.0) },
            "nudges": [{ "eta": 0.01, "change": value(-1e-4), "gradient": value(-3e-4) }],
        });
        json!({
            "units": [{ "credit": 4.5, "here": here, "at_input": here }],
            "states": [{ "hidden": 8.7, "gradient": 1e-3 }],
            "checks": [{ "check": "direction", "statistic": 0.13 }],
        })
    }

    fn theirs() -> Value {
        let here = json!({
            "cosine": { "value": 0.3501 }, "rho": { "value": 0.23 }, "rho_gradient": 1.0,
            "nudges": [-1.01e-4], "nudges_gradient": [-3e-4],
        });
        json!({
            "units": [{ "credit": 4.5, "here": here, "at_input": here }],
            "states": [{ "hidden": 8.7, "gradient": 1e-3 }],
            "direction": 0.13,
        })
    }

    #[test]
    fn small_differences_are_chance() {
        let said = agreement(&ours(), &theirs());
        assert!(said.starts_with("Both sides agree"), "{said}");
        assert!(said.contains("cosine 1.0e-4 of 0.001 allowed (2 values)"), "{said}");
    }

    #[test]
    fn a_difference_beyond_its_limit_is_named_alone() {
        let mut other = theirs();
        other["units"][0]["here"]["nudges"][0] = json!(-1.1e-4);
        let said = agreement(&ours(), &other);
        assert!(
            said.contains("DISAGREE") && said.contains("nudge 9.1e-2") && !said.contains("cosine"),
            "{said}"
        );
    }

    #[test]
    fn a_number_that_is_missing_on_either_side_is_a_difference() {
        let mut lacks = theirs();
        let mut undefined = ours();
        lacks["units"] = json!([]);
        undefined["units"][0]["here"]["cosine"] = json!({ "state": "undefined", "why": "not_finite" });
        assert!(agreement(&ours(), &lacks).contains("DISAGREE"));
        assert!(agreement(&undefined, &theirs()).contains("DISAGREE"));
        assert!(agreement(&ours(), &Value::Null).contains("not compared"));
    }
}
