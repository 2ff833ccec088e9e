//! Epochs from the logs of the paper's files. Their gradient norms are of the mean over 1024 samples; a trial keeps norms
//! of per-sample gradients, 1024 times as large, which is exact in binary.

use crate::files::{MethodLog, PenalisedEntry, SnapshotEntry, of_sample};
use figures::reader::{EpochPoint, Layers, Norms, ReadError};
use std::path::Path;

/// The curves start at epoch 1.
pub(super) fn of_method(log: &MethodLog) -> Vec<EpochPoint> {
    let value = |curve: &Option<Vec<f64>>, i: usize| curve.as_ref().map(|curve| curve[i]);
    let point = |i: usize| EpochPoint {
        epoch: i as u64 + 1,
        train_accuracy: value(&log.train_acc, i),
        test_accuracy: value(&log.test_acc, i),
        train_loss: value(&log.train_loss, i),
        state_error: value(&log.state_pred_error, i),
        ..EpochPoint::default()
    };
    (0..log.epochs().unwrap_or(0)).map(point).collect()
}

/// Norms of every layer.
pub(super) fn of_snapshot(log: &[SnapshotEntry]) -> Vec<EpochPoint> {
    let point = |entry: &SnapshotEntry| {
        let hidden = entry.hidden();
        let growth = hidden.windows(2).map(|pair| pair[1] / pair[0]).reduce(larger);
        EpochPoint {
            epoch: entry.epoch,
            test_accuracy: entry.acc_eval,
            growth,
            layers: Layers {
                hidden: Norms::all(hidden.iter().copied().map(Some)),
                gradient: Norms::all(entry.gradient().iter().map(|&g| Some(of_sample(g)))),
                ..Layers::default()
            },
            ..EpochPoint::default()
        }
    };
    log.iter().map(point).collect()
}

/// ‖h_L‖ and ‖g_2‖; L is unknown, so ‖g_2‖ does not count as ‖g_L‖.
pub(super) fn of_penalised(log: &[PenalisedEntry]) -> Vec<EpochPoint> {
    let point = |entry: &PenalisedEntry| EpochPoint {
        epoch: entry.epoch,
        test_accuracy: entry.acc_eval,
        layers: Layers {
            hidden: Norms::only_last(entry.h_last_norm),
            gradient: Norms::only(2, entry.g_2_norm.map(of_sample)),
            ..Layers::default()
        },
        ..EpochPoint::default()
    };
    log.iter().map(point).collect()
}

/// Sorts epochs; a repeated one is an error.
pub(super) fn sorted(
    path: &Path,
    key: &str,
    mut epochs: Vec<EpochPoint>,
) -> Result<Vec<EpochPoint>, ReadError> {
    epochs.sort_by_key(|epoch| epoch.epoch);
    match epochs.windows(2).find(|pair| pair[0].epoch == pair[1].epoch) {
        Some(pair) => Err(ReadError::malformed(path, format!("`{key}` has epoch {} twice", pair[0].epoch))),
        None => Ok(epochs),
    }
}

/// The larger of two; NaN if either is, so that a broken state is not missed.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_step_stays_broken() {
        assert_eq!(larger(2.0, 3.0), 3.0);
        assert!(larger(f64::NAN, 3.0).is_nan() && larger(3.0, f64::NAN).is_nan());
    }
}
