//! What an audit draws at random: each purpose has a major position of its own in the audit's stream.

/// Feedback drawn afresh.
pub(super) const FEEDBACK: u64 = 1;
/// Permuted labels.
pub(super) const LABELS: u64 = 2;
/// Directions along which states are moved.
pub(super) const DIRECTIONS: u64 = 3;
/// Shuffled samples of a dump.
pub(crate) const SAMPLES: u64 = 4;
/// Turned features of a dump.
pub(crate) const TURNS: u64 = 5;
