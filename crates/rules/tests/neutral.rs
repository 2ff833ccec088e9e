//! Neutral values are written down here a second time on purpose: runs are told apart by them, so that a default may change but
//! they may not.

use rules::Value::{self, Flag, Real, Whole, Word};
use rules::{NAMES, TABLE};

/// What a rule did before it had the key.
fn neutral(rule: &str, key: &str) -> Option<Value> {
    Some(match (key, rule) {
        ("rule.normalise", "bp" | "node_perturbation") => Word("none"),
        ("rule.normalise", _) => Word("sample"),
        ("rule.beta", _) => Real(0.01),
        ("rule.relative_nudge", _) => Flag(true),
        ("rule.relax_steps", _) => Whole(100),
        ("rule.relax_tolerance", _) => Real(0.001),
        ("rule.credit", _) => Word("residual"),
        ("rule.decay", _) => Real(0.15),
        ("rule.sigma", _) => Real(0.01),
        ("rule.warm_up", _) => Real(0.2),
        ("rule.copies", _) => Whole(8),
        ("rule.noise", _) => Real(0.1),
        ("rule.temperature", _) => Real(0.1),
        ("rule.ema", _) => Real(0.995),
        ("rule.matching", _) => Real(1.0),
        ("rule.condition", _) => Word("error"),
        ("rule.bridge_width", _) => Whole(256),
        ("rule.bridge_lr", _) => Real(0.001),
        _ => return None,
    })
}

#[test]
fn neutral_values_never_change() {
    assert_eq!(TABLE.map(|info| info.name), NAMES);
    for (rule, key) in TABLE.iter().flat_map(|info| info.keys.iter().map(|key| (info.name, key))) {
        assert_eq!(Some(key.neutral), neutral(rule, key.name), "{rule}: {}", key.name);
    }
}
