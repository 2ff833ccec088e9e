//! Standard normal numbers without labels: starts, targets and noise of a linear-quadratic system.

use crate::dataset::{Dataset, Split};
use tensor::random::{Purpose, Stream};

/// How many numbers there are.
#[derive(Clone, Debug, PartialEq)]
pub struct LqDataSpec {
    /// Numbers of a sample.
    pub inputs: usize,
    /// Outputs of the system.
    pub outputs: usize,
    /// Training samples.
    pub train: usize,
    /// Test samples.
    pub test: usize,
    /// Seed; not the run's, so that all runs share one set.
    pub seed: u64,
}

impl Default for LqDataSpec {
    /// For a system of 64 features and 12 steps, and a hundred steps of 256 samples an epoch.
    fn default() -> Self {
        Self { inputs: 64 + 10 + 12 * 64, outputs: 10, train: 25_600, test: 1_280, seed: 0 }
    }
}

pub(crate) fn generate(spec: &LqDataSpec) -> Dataset {
    let split = |place: u64, samples: usize| {
        let mut stream = Stream::at(spec.seed, Purpose::Teacher, place, 0);
        let values = (0..samples * spec.inputs).map(|_| stream.normal() as f32).collect();
        Split::vectors(values, spec.inputs, vec![0; samples])
    };
    Dataset::new("lq", spec.outputs, split(3, spec.train), split(4, spec.test))
}
