//! The choice of the rule and of what is changed about it. What a rule leaves open is declared by the rule itself.

use super::key::{Key, Kind, key};

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
];
