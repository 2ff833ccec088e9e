//! The settings of an audit at their defaults.

use record::audit::{Settings, Thresholds};

/// Samples that the protocol is stated for.
pub const SAMPLES: u64 = 1280;
/// Random directions per sample for ρ.
pub const DIRECTIONS: u64 = 32;
/// Draws of each null.
pub const DRAWS: u64 = 20;

/// What the protocol is stated for, on `samples` samples: 32 directions of length 1e-3, nudges of .003, .01 and .1, 20
/// draws of each null.
pub fn settings(limits: &Thresholds, samples: u64) -> Settings {
    Settings {
        samples,
        directions: DIRECTIONS,
        step: 1e-3,
        etas: vec![0.003, 0.01, 0.1],
        draws: DRAWS,
        null_samples: 256,
        seed: 0,
        probe: false,
        thresholds: *limits,
    }
}
