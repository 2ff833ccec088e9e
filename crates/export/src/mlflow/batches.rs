//! Metrics in requests of a size that the server takes.

use crate::clock::Clock;
use crate::point::charted;
use record::Run;
use serde_json::{Value, json};

/// Metrics of one request, and a tag; the server takes 1000 things.
const MOST: usize = 999;

/// Some metrics, and how many epochs the server has with them.
#[derive(Debug, PartialEq)]
pub(super) struct Batch {
    pub(super) metrics: Vec<Value>,
    pub(super) epochs: usize,
    /// Whether the last epoch is here to its end.
    pub(super) is_whole: bool,
}

/// The metrics of each epoch after the first `sent`, with how many epochs that makes.
pub(super) fn metrics(run: &Run, sent: usize) -> Vec<(usize, Vec<Value>)> {
    let mut clock = Clock::of(&run.record);
    let each = run.epochs.iter().enumerate().map(|(index, epoch)| {
        let time = millis(clock.advance(epoch));
        let metric =
            |(tag, value)| json!({"key": tag, "value": value, "timestamp": time, "step": epoch.epoch});
        (index + 1, charted(epoch).into_iter().map(metric).collect())
    });
    each.skip(sent).collect()
}

/// As many whole epochs in each request as fit; an epoch that is too large alone is split.
pub(super) fn of(epochs: &[(usize, Vec<Value>)]) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    for (epochs, metrics) in epochs {
        match batches.last_mut() {
            Some(last) if last.metrics.len() + metrics.len() <= MOST => {
                last.metrics.extend(metrics.iter().cloned());
                last.epochs = *epochs;
            }
            _ => {
                let pieces = metrics.chunks(MOST).map(<[Value]>::to_vec);
                let piece = |metrics| Batch { metrics, epochs: *epochs, is_whole: false };
                batches.extend(pieces.map(piece));
                batches.last_mut().into_iter().for_each(|last| last.is_whole = true);
            }
        }
    }
    batches
}

/// Seconds since 1970 as the server counts.
pub(super) fn millis(seconds: f64) -> u64 {
    (seconds * 1e3) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_full_and_epochs_whole_where_they_can_be() {
        let epochs: Vec<(usize, Vec<Value>)> = [400, 500, 300, 2500, 10]
            .iter()
            .zip(1..)
            .map(|(&n, epoch)| (epoch, vec![json!(epoch); n]))
            .collect();
        let sizes: Vec<(usize, usize, bool)> =
            of(&epochs).iter().map(|batch| (batch.metrics.len(), batch.epochs, batch.is_whole)).collect();
        let expected = [(900, 2, true), (300, 3, true), (999, 4, false), (999, 4, false), (512, 5, true)];
        assert_eq!(sizes, expected);
    }
}
