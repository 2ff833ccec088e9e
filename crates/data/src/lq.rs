//! Standard normal numbers without labels: starts, targets and noise of a linear-quadratic system.

use crate::dataset::{Dataset, Split};
use tensor::random::{Purpose, Stream};

/// The sizes of the data.
#[derive(Clone, Debug, PartialEq)]
pub struct LqDataSpec {
    /// Numbers per sample.
    pub inputs: usize,
    /// Outputs of the system.
    pub outputs: usize,
    /// Training samples.
    pub train: usize,
    /// Test samples.
    pub test: usize,
    /// Seed; not the run's, so that all runs share one data set.
    pub seed: u64,
}

impl Default for LqDataSpec {
    /// For a system of 64 features and 12 steps, with 100 batches of 256 samples per epoch.
    fn default() -> Self {
        Self { inputs: 64 + 10 + 12 * 64, outputs: 10, train: 25_600, test: 1_280, seed: 0 }
    }
}

pub(crate) fn generate(spec: &LqDataSpec) -> Dataset {
    let split = |stream: u64, samples: usize| {
        let mut stream = Stream::at(spec.seed, Purpose::Teacher, stream, 0);
        let values = (0..samples * spec.inputs).map(|_| stream.normal() as f32).collect();
        Split::vectors(values, spec.inputs, vec![0; samples])
    };
    Dataset::new("lq", spec.outputs, split(3, spec.train), split(4, spec.test))
}
