//! Fills a chunk with its part of a batch.

use crate::RunSpec;
use data::{BatchPosition, Dataset, fill};
use nn::Net;
use rules::Chunk;
use std::ops::Range;
use tensor::random::{Purpose, Stream};

/// The rows of a batch of `rows` that belong to chunk `index` of `chunks`. The result does not depend on the number of chunks.
pub(super) fn share(rows: usize, chunks: usize, index: usize) -> Range<usize> {
    rows * index / chunks..rows * (index + 1) / chunks
}

/// Writes the training samples at positions `rows` of the epoch into the chunk.
pub(super) fn training(
    spec: &RunSpec,
    data: &Dataset,
    order: &[u32],
    epoch: u64,
    rows: Range<usize>,
    chunk: &mut Chunk<f32, Net>,
) {
    chunk.labels.resize(rows.len(), 0);
    let position = BatchPosition { seed: spec.seed, epoch, start: rows.start };
    let x = &mut chunk.x[..rows.len() * data.inputs];
    fill(&data.train, order, position, spec.augment, x, &mut chunk.labels);
    if spec.modifiers.random_targets {
        for (position, label) in rows.zip(&mut chunk.labels) {
            let mut stream = Stream::at(spec.seed, Purpose::Labels, epoch, position as u64);
            *label = stream.below(data.classes as u64) as u8;
        }
    }
}

/// Writes the test samples `rows`, unaugmented, into the chunk.
pub(super) fn testing(data: &Dataset, rows: Range<usize>, chunk: &mut Chunk<f32, Net>) {
    chunk.labels.resize(rows.len(), 0);
    data.test.fill(rows.start, &mut chunk.x[..rows.len() * data.inputs], &mut chunk.labels);
}

/// Writes held-out training samples, of which these are the indices of all, as they are into the chunk.
pub(super) fn validating(data: &Dataset, held_out: &[u32], rows: Range<usize>, chunk: &mut Chunk<f32, Net>) {
    chunk.labels.resize(rows.len(), 0);
    let x = &mut chunk.x[..rows.len() * data.inputs];
    let position = BatchPosition { seed: 0, epoch: 0, start: rows.start };
    fill(&data.train, held_out, position, false, x, &mut chunk.labels);
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn shares_cover_a_batch_once() {
        for rows in 1..40 {
            for chunks in 1..10 {
                let all: Vec<usize> = (0..chunks).flat_map(|i| share(rows, chunks, i)).collect();
                assert_eq!(all, (0..rows).collect::<Vec<_>>());
            }
        }
    }
}
