//! Loss and hits of a pass over samples.

use crate::Chunk;
use nn::{Network, Tape};
use tensor::Float;

/// Loss and hits, summed over samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Sum of the samples' losses.
    pub loss: f64,
    /// Samples whose largest logit is the label's.
    pub correct: u64,
    /// Samples.
    pub samples: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.loss += other.loss;
        self.correct += other.correct;
        self.samples += other.samples;
    }
}

impl Tally {
    /// Over all samples of the last pass of these chunks, in order.
    pub fn of<T: Float, N: Network<T>>(chunks: &[Chunk<T, N>]) -> Self {
        let mut tally = Self::default();
        for Chunk { labels, tape, losses, .. } in chunks.iter().filter(|chunk| !chunk.labels.is_empty()) {
            let logits = tape.logits();
            let rows = logits.chunks_exact(logits.len() / labels.len());
            for ((z, &label), loss) in rows.zip(labels).zip(losses) {
                tally.loss += loss.to_f64();
                tally.correct += u64::from(largest(z) == usize::from(label));
            }
            tally.samples += labels.len() as u64;
        }
        tally
    }
}

/// Index of the first largest value.
fn largest<T: Float>(values: &[T]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}
