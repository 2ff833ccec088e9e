//! What a dump holds of the network above h_L: LayerNorm, head and loss, forward, in f64.

use crate::dump::{Head, Rows};
use crate::measurements::Downstream;
use tensor::{Mat, matmul};

/// Rows that pass through at once.
const ROWS: usize = 256;

impl Head {
    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.weight.len()
    }

    /// The logits of states, one row each.
    ///
    /// ```
    /// use audit::dump::{Head, Rows};
    /// let weight = Rows { values: vec![1.0, 0.0, 1.0, 1.0], width: 2 };
    /// let head = Head { weight, bias: Some(vec![0.0, 10.0]), norm: None };
    /// assert_eq!(head.logits(&[3.0, 4.0]), [3.0, 17.0]);
    /// ```
    pub fn logits(&self, states: &[f64]) -> Vec<f64> {
        let classes = self.classes();
        let width = self.weight.width;
        let mut logits = vec![0.0; states.len() / width * classes];
        for (states, logits) in states.chunks(ROWS * width).zip(logits.chunks_mut(ROWS * classes)) {
            let rows = states.len() / width;
            let read = self.read(states);
            let weight = Mat::new(&self.weight.values, classes, width);
            matmul(logits, 1.0, Mat::new(&read, rows, width), weight.t());
            for row in logits.chunks_exact_mut(classes) {
                row.iter_mut().zip(self.bias.iter().flatten()).for_each(|(z, bias)| *z += bias);
            }
        }
        logits
    }

    /// What the linear part reads: the states themselves, or their LayerNorm.
    fn read(&self, states: &[f64]) -> Vec<f64> {
        let mut read = states.to_vec();
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

/// Makes mean 0 and variance 1 of a row, as LayerNorm does, and returns 1/σ.
pub(super) fn normalise(row: &mut [f64], eps: f64) -> f64 {
    let count = row.len() as f64;
    let mean = row.iter().sum::<f64>() / count;
    row.iter_mut().for_each(|x| *x -= mean);
    let scale = 1.0 / (row.iter().map(|x| x * x).sum::<f64>() / count + eps).sqrt();
    row.iter_mut().for_each(|x| *x *= scale);
    scale
}

/// Probabilities of the classes and the logarithm of what they were divided by, from a row of logits.
pub(super) fn softmax(logits: &mut [f64]) -> f64 {
    // `max` passes over NaN; the sum does not.
    let top = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logits.iter_mut().for_each(|z| *z = libm::exp(*z - top));
    let total = logits.iter().sum::<f64>();
    logits.iter_mut().for_each(|z| *z /= total);
    top + libm::log(total)
}

/// The rest of a dumped network above h_L, for states that are put in place of it. There is no other layer that it could be
/// asked for.
///
/// ```
/// use audit::dump::{Head, HeadDownstream, Rows};
/// use audit::measurements::Downstream;
/// let weight = Rows { values: vec![1.0, 0.0, 0.0, 1.0], width: 2 };
/// let head = Head { weight, bias: None, norm: None };
/// let mut losses = [0.0];
/// HeadDownstream::new(&head).losses(4, &[0.0, 3f64.ln()], &[0], &mut losses);
/// assert!((losses[0] - 4f64.ln()).abs() < 1e-15); // probabilities 1/4 and 3/4
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HeadDownstream<'a>(&'a Head);

impl<'a> HeadDownstream<'a> {
    /// The rest that is this head.
    pub fn new(head: &'a Head) -> Self {
        Self(head)
    }
}

impl Downstream<usize> for HeadDownstream<'_> {
    fn losses(&mut self, _: usize, states: &[f64], labels: &[usize], losses: &mut [f64]) {
        let mut logits = self.0.logits(states);
        let rows = logits.chunks_exact_mut(self.0.classes());
        for ((z, &label), loss) in rows.zip(labels).zip(losses) {
            // Shifted first: large logits would leave no digits of the difference.
            let own = z[label];
            z.iter_mut().for_each(|z| *z -= own);
            *loss = softmax(z);
        }
    }
}

impl Rows {
    /// The rows of some samples, in the order of these.
    pub(super) fn gather(&self, samples: impl Iterator<Item = usize>) -> Vec<f64> {
        samples.flat_map(|i| &self.values[i * self.width..(i + 1) * self.width]).copied().collect()
    }
}
