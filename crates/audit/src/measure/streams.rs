//! What an audit draws at random: each purpose has its own major position in the audit's stream.

/// Fresh feedback.
pub(super) const FEEDBACK: u64 = 1;
/// Permuted labels.
pub(super) const LABELS: u64 = 2;
/// Directions along which states are moved.
pub(super) const DIRECTIONS: u64 = 3;
/// Shuffled samples of a dump.
pub(super) const SAMPLES: u64 = 4;
/// Rotated features of a dump.
pub(super) const TURNS: u64 = 5;
