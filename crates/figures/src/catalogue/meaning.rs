//! What lines, bars and markers show, in the words of recipes and records. Labels may change; these do not.

use crate::reader::{Trial, Variant};
use crate::scene::{Meaning, Tag};

// Quantities, as the records name them.
pub(super) const TRAIN_ACCURACY: &str = "train_accuracy";
/// Accuracy on the test set.
pub const TEST_ACCURACY: &str = "test_accuracy";
/// Median ‖h_l‖.
pub const HIDDEN: &str = "hidden";
/// Median ‖g_l‖ at the N that the axis states.
pub const GRADIENT: &str = "gradient";
/// Largest ‖h_{l+1}‖ / ‖h_l‖ over the blocks.
pub(super) const GROWTH: &str = "growth";
pub(super) const DRIFT: &str = "drift";
pub(super) const STATE_ERROR: &str = "state_error";
// Where credit acts, and at the input of its block, as published.
pub(super) const COSINE: &str = "cosine";
/// Cosine of a_l with p_l.
pub const COSINE_AT_INPUT: &str = "cosine_at_input";
pub(super) const RHO: &str = "rho";
/// ρ of a_l at h_l.
pub const RHO_AT_INPUT: &str = "rho_at_input";
pub(super) const NUDGE: &str = "nudge";
pub(super) const NUDGE_AT_INPUT: &str = "nudge_at_input";
// Lines across a panel.
pub(super) const CHANCE: &str = "chance";
pub(super) const FLOOR: &str = "floor";
pub(super) const THRESHOLD: &str = "threshold";

/// A quantity of the state h_l, if l is known.
pub fn of_state(series: &str, l: Option<u64>) -> Meaning {
    Meaning::of(series).with_some(Tag::State, l)
}

/// A rule with its modifiers.
pub fn rule(variant: &Variant) -> Meaning {
    Meaning::default()
        .with(Tag::Rule, &variant.rule)
        .with_some(Tag::Penalty, (variant.penalty != 0.0).then_some(variant.penalty))
        .with_some(Tag::Frozen, variant.frozen.then_some(true))
        .with_some(Tag::Modifiers, (!variant.modifiers.is_empty()).then_some(&variant.modifiers))
}

/// The rule of trials of one variant, and the seed if there is only one.
pub(super) fn trials(trials: &[&Trial]) -> Meaning {
    match trials {
        [] => Meaning::default(),
        [only] => rule(&only.variant()).with_some(Tag::Seed, only.seed),
        [first, ..] => rule(&first.variant()),
    }
}

/// Marks a value that this program did not measure.
pub fn published(meaning: Meaning) -> Meaning {
    meaning.with(Tag::Source, "published")
}
