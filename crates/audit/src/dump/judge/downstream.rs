//! The dumped network above h_L: LayerNorm, head and loss, forward, in f64.

use crate::dump::{DumpRows, Head, Pooling};
use crate::measurements::Downstream;
use tensor::{Mat, matmul};

/// Rows per pass.
const ROWS: usize = 256;

impl Head {
    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.weight.len()
    }

    /// The logits of states, one row per state.
    ///
    /// ```
    /// use audit::dump::{Head, DumpRows};
    /// let weight = DumpRows { values: vec![1.0, 0.0, 1.0, 1.0], width: 2 };
    /// let head = Head { weight, pooling: None, bias: Some(vec![0.0, 10.0]), norm: None };
    /// assert_eq!(head.logits(&[3.0, 4.0]), [3.0, 17.0]);
    /// ```
    pub fn logits(&self, states: &[f64]) -> Vec<f64> {
        let classes = self.classes();
        let width = self.weight.width;
        let whole = self.pooling.map_or(width, |pooling| pooling.positions * width);
        let mut logits = vec![0.0; states.len() / whole * classes];
        for (states, logits) in states.chunks(ROWS * whole).zip(logits.chunks_mut(ROWS * classes)) {
            let rows = states.len() / whole;
            let read = self.read(states);
            let weight = Mat::new(&self.weight.values, classes, width);
            matmul(logits, 1.0, Mat::new(&read, rows, width), weight.t());
            for row in logits.chunks_exact_mut(classes) {
                row.iter_mut().zip(self.bias.iter().flatten()).for_each(|(z, bias)| *z += bias);
            }
        }
        logits
    }

    /// The states, or their means over positions.
    pub(super) fn pooled(&self, states: &[f64]) -> Vec<f64> {
        self.pooling.map_or_else(|| states.to_vec(), |pooling| pooling.means(states))
    }

    /// The input of the linear part: the states or their means over positions, then the LayerNorm.
    fn read(&self, states: &[f64]) -> Vec<f64> {
        let mut read = self.pooled(states);
        if let Some(norm) = &self.norm {
            for row in read.chunks_exact_mut(self.weight.width) {
                normalise(row, norm.eps);
                row.iter_mut().zip(&norm.weight).for_each(|(x, weight)| *x *= weight);
                row.iter_mut().zip(norm.bias.iter().flatten()).for_each(|(x, bias)| *x += bias);
            }
        }
        read
    }
}

impl Pooling {
    /// Which feature each number of a state belongs to.
    fn features(self) -> impl Iterator<Item = usize> {
        let Self { positions, features, features_last } = self;
        (0..positions * features).map(move |i| if features_last { i % features } else { i / positions })
    }

    /// The mean over positions of each state.
    fn means(self, states: &[f64]) -> Vec<f64> {
        let mut means = vec![0.0; states.len() / self.positions];
        let rows = states.chunks_exact(self.positions * self.features);
        for (state, mean) in rows.zip(means.chunks_exact_mut(self.features)) {
            self.features().zip(state).for_each(|(feature, x)| mean[feature] += x);
            mean.iter_mut().for_each(|x| *x /= self.positions as f64);
        }
        means
    }

    /// The gradient with respect to the states, given that with respect to their means.
    pub(super) fn spread(self, gradients: &[f64]) -> Vec<f64> {
        let row = |row: &[f64]| -> Vec<f64> {
            self.features().map(|feature| row[feature] / self.positions as f64).collect()
        };
        gradients.chunks_exact(self.features).flat_map(row).collect()
    }
}

/// Normalises a row to mean 0 and variance 1, as LayerNorm does, and returns 1/σ.
pub(super) fn normalise(row: &mut [f64], eps: f64) -> f64 {
    let count = row.len() as f64;
    let mean = row.iter().sum::<f64>() / count;
    row.iter_mut().for_each(|x| *x -= mean);
    let scale = 1.0 / (row.iter().map(|x| x * x).sum::<f64>() / count + eps).sqrt();
    row.iter_mut().for_each(|x| *x *= scale);
    scale
}

/// Turns a row of logits into probabilities, and returns the logarithm of the sum of exponentials.
pub(super) fn softmax(logits: &mut [f64]) -> f64 {
    // `max` ignores NaN; the sum does not.
    let top = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logits.iter_mut().for_each(|z| *z = libm::exp(*z - top));
    let total = logits.iter().sum::<f64>();
    logits.iter_mut().for_each(|z| *z /= total);
    top + libm::log(total)
}

/// The rest of a dumped network above h_L, whatever the index of the layer.
///
/// ```
/// use audit::dump::{Head, HeadDownstream, DumpRows};
/// use audit::measurements::Downstream;
/// let weight = DumpRows { values: vec![1.0, 0.0, 0.0, 1.0], width: 2 };
/// let head = Head { weight, pooling: None, bias: None, norm: None };
/// let mut losses = [0.0];
/// HeadDownstream::new(&head).losses(4, &[0.0, 3f64.ln()], &[0], &mut losses);
/// assert!((losses[0] - 4f64.ln()).abs() < 1e-15); // probabilities 1/4 and 3/4
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HeadDownstream<'a>(&'a Head);

impl<'a> HeadDownstream<'a> {
    /// The rest of the network is this head.
    pub fn new(head: &'a Head) -> Self {
        Self(head)
    }
}

impl Downstream<usize> for HeadDownstream<'_> {
    fn losses(&mut self, _: usize, states: &[f64], labels: &[usize], losses: &mut [f64]) {
        let mut logits = self.0.logits(states);
        let rows = logits.chunks_exact_mut(self.0.classes());
        for ((z, &label), loss) in rows.zip(labels).zip(losses) {
            // Shifted first: the difference of large logits would lose its digits.
            let own = z[label];
            z.iter_mut().for_each(|z| *z -= own);
            *loss = softmax(z);
        }
    }
}

impl DumpRows {
    /// The rows of these samples.
    pub(super) fn gather(&self, samples: impl Iterator<Item = usize>) -> Vec<f64> {
        samples.flat_map(|i| &self.values[i * self.width..(i + 1) * self.width]).copied().collect()
    }
}
