//! The keys of the rules.

use super::key::{Key, Kind, by, key};

const POSITIVE: Kind = Kind::Real(f64::MIN_POSITIVE, f64::MAX);
const SHARE: Kind = Kind::Real(0.0, 1.0);

/// The rule and what is changed about it.
pub(super) const RULE: &[Key] = &[
    key("rule.name", Kind::Word(&rules::NAMES), "\"bp\"", "The learning rule."),
    key(
        "rule.frozen",
        Kind::Flag,
        "false",
        "Leaves every block at its initial value: the baseline of depth utility.",
    ),
    key(
        "rule.trainable_last",
        Kind::Whole(-1, 1 << 16),
        "-1",
        "Trains only the last so many blocks; -1 trains all.",
    ),
    key("rule.shallow", Kind::Flag, "false", "Removes the blocks."),
    key(
        "rule.penalty",
        Kind::Real(0.0, 1e6),
        "0.0",
        "Adds this times the squared norm of each block's branch to its objective.",
    ),
    key(
        "rule.random_targets",
        Kind::Flag,
        "false",
        "Draws the training labels at random, anew in every batch.",
    ),
    by(
        "rule.condition",
        Kind::Word(&["error", "gradient"]),
        "rule.name",
        &[("state_bridge", "\"error\""), ("credit_bridge", "\"error\"")],
        "What the bridge net is told beside the state: e_T, or p_L over its root mean square.",
    ),
    by(
        "rule.bridge_width",
        Kind::Whole(1, 1 << 14),
        "rule.name",
        &[("state_bridge", "256"), ("credit_bridge", "256")],
        "Width of the bridge net's two hidden layers.",
    ),
    by(
        "rule.bridge_lr",
        Kind::Real(0.0, 1e6),
        "rule.name",
        &[("state_bridge", "0.001"), ("credit_bridge", "0.001")],
        "Learning rate of the bridge net's AdamW, constant over the run.",
    ),
    by(
        "rule.warm_up",
        SHARE,
        "rule.name",
        &[("credit_bridge", "0.2")],
        "Share of the schedule during which DFA gives the credit while the bridge learns.",
    ),
    by(
        "rule.copies",
        Kind::Whole(1, 4096),
        "rule.name",
        &[("credit_bridge", "8")],
        "Noisy copies of the next state that the value is a soft minimum over.",
    ),
    by(
        "rule.noise",
        Kind::Real(0.0, 1e6),
        "rule.name",
        &[("credit_bridge", "0.1")],
        "Their standard deviation, in units of the state's root mean square.",
    ),
    by(
        "rule.temperature",
        POSITIVE,
        "rule.name",
        &[("credit_bridge", "0.1")],
        "Temperature of the soft minimum.",
    ),
    by(
        "rule.ema",
        SHARE,
        "rule.name",
        &[("credit_bridge", "0.995")],
        "Share of its old value that the slow copy of the bridge net keeps at each step.",
    ),
    by(
        "rule.matching",
        Kind::Real(0.0, 1e6),
        "rule.name",
        &[("credit_bridge", "1.0")],
        "Weight of matching the bridge's gradient at h_L to the true one.",
    ),
    by("rule.beta", POSITIVE, "rule.name", &[("ep", "0.01")], "Strength of the nudge."),
    by(
        "rule.relative_nudge",
        Kind::Flag,
        "rule.name",
        &[("ep", "true")],
        "Takes beta in units of each sample's |h_L|/|p_L|, so that the nudge is a share of the state.",
    ),
    by(
        "rule.relax_steps",
        Kind::Whole(1, 1 << 20),
        "rule.name",
        &[("ep", "100")],
        "Most steps of the nudged phase.",
    ),
    by(
        "rule.relax_tolerance",
        POSITIVE,
        "rule.name",
        &[("ep", "0.001")],
        "The nudged phase ends where the energy's gradient is below this share of the nudge.",
    ),
    by(
        "rule.decay",
        Kind::Real(0.0, 1e3),
        "rule.name",
        &[("kolen_pollack", "0.15")],
        "Decay of the blocks' weight matrices in place of optim.weight_decay: it brings feedback and weights together.",
    ),
];
