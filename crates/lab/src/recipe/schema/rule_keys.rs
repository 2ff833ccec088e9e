//! The choice of a rule and its modifiers. Each rule declares its own keys.

use super::key::{Key, Kind, key};

/// The rule and its modifiers.
pub(super) const RULE: &[Key] = &[
    key("rule.name", Kind::Word(&rules::NAMES), "\"bp\"", "The learning rule."),
    key(
        "rule.frozen",
        Kind::Flag,
        "false",
        "Keeps every block at its initial value: the baseline of depth utility.",
    ),
    key(
        "rule.trainable_last",
        Kind::Whole(-1, 1 << 16),
        "-1",
        "Trains only this many blocks, counted from the last; -1 trains all.",
    ),
    key("rule.shallow", Kind::Flag, "false", "Removes the blocks."),
    key(
        "rule.penalty",
        Kind::Real(0.0, 1e6),
        "0.0",
        "Adds this times the squared norm of each block's branch to its objective.",
    ),
    key("rule.random_targets", Kind::Flag, "false", "Draws new random training labels for every batch."),
];
