//! From the keys of a recipe to a rule and its choices.

use super::reader::Reader;
use rules::{BridgeSpec, Condition, EpSpec, RuleSpec};

/// The rule; what its name leaves open is read where the schema has a key for it.
pub(super) fn rule(read: &Reader<'_>) -> RuleSpec {
    let plain = RuleSpec::from(read.word("rule.name"));
    match plain.name.as_str() {
        "state_bridge" => RuleSpec { bridge: bridge(read), ..plain },
        "credit_bridge" => RuleSpec {
            bridge: BridgeSpec {
                warm_up: read.real("rule.warm_up"),
                copies: read.size("rule.copies"),
                noise: read.real("rule.noise"),
                temperature: read.real("rule.temperature"),
                ema: read.real("rule.ema"),
                matching: read.real("rule.matching"),
                ..bridge(read)
            },
            ..plain
        },
        "ep" => RuleSpec {
            ep: EpSpec {
                beta: read.real("rule.beta"),
                relative: read.flag("rule.relative_nudge"),
                steps: read.size("rule.relax_steps"),
                tolerance: read.real("rule.relax_tolerance"),
            },
            ..plain
        },
        "kolen_pollack" => RuleSpec { decay: read.real("rule.decay"), ..plain },
        _ => plain,
    }
}

fn bridge(read: &Reader<'_>) -> BridgeSpec {
    let condition =
        if read.word("rule.condition") == "gradient" { Condition::Gradient } else { Condition::Error };
    let (width, lr) = (read.size("rule.bridge_width"), read.real("rule.bridge_lr"));
    BridgeSpec { condition, width, lr, ..BridgeSpec::default() }
}
