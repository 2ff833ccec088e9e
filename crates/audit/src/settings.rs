//! The settings of an audit at their defaults.

use crate::Thresholds;
use record::audit::Settings;

/// Samples that the protocol is stated for.
pub const PROTOCOL_SAMPLES: u64 = 1280;

/// What the protocol is stated for, on `samples` samples: 32 directions of length 1e-3, nudges of .003, .01 and .1, 20
/// draws of each null.
pub fn settings(limits: &Thresholds, samples: u64) -> Settings {
    Settings {
        samples,
        directions: 32,
        step: 1e-3,
        etas: vec![0.003, 0.01, 0.1],
        draws: 20,
        null_samples: 256,
        seed: 0,
        probe: false,
        growth: limits.growth,
        floor: limits.floor,
        gain: limits.gain,
        solved: limits.solved,
        ceiling: limits.ceiling,
        direction: limits.direction,
    }
}
