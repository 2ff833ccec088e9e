//! Teacher-student data: Gaussian inputs, labelled by a random residual network.
//!
//! The teacher is of the student's family (no LayerNorm, tanh branches): h_0 = E x,
//! h_{l+1} = h_l + W2 tanh(W1 h_l), logits H h_L. Every matrix is Gaussian with standard deviation gain/√fan_in, and
//! there are no biases. Each logit's mean over the training inputs is subtracted before the argmax, so that no class
//! takes most of the samples. Arithmetic is in f64 with `tanh` from `libm`, so every platform makes the same data.

mod network;
#[cfg(test)]
mod tests;

use network::Teacher;

use crate::Error;
use crate::dataset::{Dataset, Split};

/// What the teacher is and how many samples it labels.
#[derive(Clone, Debug, PartialEq)]
pub struct TeacherSpec {
    /// Features of a sample.
    pub inputs: usize,
    /// Width of the teacher.
    pub width: usize,
    /// Residual blocks of the teacher.
    pub blocks: usize,
    /// Scale of the teacher's weights: their standard deviation is gain/√fan_in. More gain, more bends.
    pub gain: f64,
    /// Number of classes.
    pub classes: usize,
    /// Training samples.
    pub train: usize,
    /// Test samples.
    pub test: usize,
    /// Seed of the teacher and its inputs; not the run's seed, so that all runs share one task.
    pub seed: u64,
}

impl Default for TeacherSpec {
    fn default() -> Self {
        Self { inputs: 32, width: 32, blocks: 2, gain: 2.0, classes: 10, train: 8192, test: 2048, seed: 0 }
    }
}

/// Most numbers that the teacher's weights, or its samples, may take (4 GiB of f32).
const MOST: usize = 1 << 30;

impl TeacherSpec {
    /// Whether data can be made from this.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let refuse = |key, value: String, rule| Err(Error::Teacher { key, value, rule });
        for (key, value) in
            [("inputs", self.inputs), ("width", self.width), ("train", self.train), ("test", self.test)]
        {
            if value == 0 {
                return refuse(key, value.to_string(), "must be at least 1");
            }
        }
        if !(2..=256).contains(&self.classes) {
            return refuse("classes", self.classes.to_string(), "must be from 2 to 256");
        }
        if !(self.gain.is_finite() && self.gain > 0.0) {
            return refuse("gain", self.gain.to_string(), "must be a finite number above 0");
        }
        let within = |factors: [usize; 3]| {
            factors.iter().try_fold(1usize, |product, &f| product.checked_mul(f)).is_some_and(|n| n <= MOST)
        };
        let samples = self.train.saturating_add(self.test);
        if !within([samples, self.inputs, 1]) {
            return refuse(
                "train",
                self.train.to_string(),
                "train + test samples of this many inputs exceed 4 GiB",
            );
        }
        if !within([self.width, self.width, 2 * self.blocks.clamp(1, MOST)])
            || !within([self.width, self.inputs, 1])
        {
            return refuse("width", self.width.to_string(), "the teacher's weights would exceed 4 GiB");
        }
        Ok(())
    }
}

/// Draws the teacher and labels its inputs.
pub(crate) fn generate(spec: &TeacherSpec) -> Result<Dataset, Error> {
    spec.check()?;
    let teacher = Teacher::draw(spec);
    let (train_x, mut train_logits) = teacher.samples(spec, 1, spec.train);
    let (test_x, mut test_logits) = teacher.samples(spec, 2, spec.test);
    let mut centre = vec![0.0; spec.classes];
    for logits in train_logits.chunks_exact(spec.classes) {
        centre.iter_mut().zip(logits).for_each(|(sum, logit)| *sum += logit);
    }
    centre.iter_mut().for_each(|sum| *sum /= spec.train as f64);
    let train = Split::vectors(train_x, spec.inputs, labels(&mut train_logits, &centre));
    let test = Split::vectors(test_x, spec.inputs, labels(&mut test_logits, &centre));
    Ok(Dataset::new("teacher", spec.classes, train, test))
}

/// The class of each sample: the first largest of its centred logits.
fn labels(logits: &mut [f64], centre: &[f64]) -> Vec<u8> {
    let class = |logits: &mut [f64]| {
        logits.iter_mut().zip(centre).for_each(|(logit, mean)| *logit -= mean);
        let best = (0..logits.len()).fold(0, |best, c| if logits[c] > logits[best] { c } else { best });
        best as u8
    };
    logits.chunks_exact_mut(centre.len()).map(class).collect()
}
