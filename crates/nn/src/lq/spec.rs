//! Sizes of the system, and its random parameters.

use crate::error::{check_least, check_most};
use crate::{Error, Layout, Role, Unit};
use std::ops::Range;
use tensor::random::{Purpose, Stream};
use tensor::{Float, in_panels};

/// An unchecked description; [`LqSpec::build`] checks it.
#[derive(Clone, Debug, PartialEq)]
pub struct LqSpec {
    /// Features of the state, d.
    pub d: usize,
    /// Steps, L.
    pub blocks: usize,
    /// Rows of C.
    pub outputs: usize,
    /// A_l = I + `step`·Gaussian/√d …
    pub step: f64,
    /// … scaled down to this spectral norm if it is larger.
    pub bound: f64,
    /// Standard deviation of the noise at each step.
    pub noise: f64,
}

/// A checked system.
#[derive(Clone, Debug)]
pub struct Lq {
    pub(super) spec: LqSpec,
    pub(super) layout: Layout,
    /// A_0 … A_{L−1}.
    pub(super) dynamics: Vec<Range<usize>>,
    /// C.
    pub(super) cost: Range<usize>,
}

impl LqSpec {
    /// The system of that size at its defaults.
    pub fn new(d: usize, blocks: usize, outputs: usize) -> Self {
        Self { d, blocks, outputs, step: 0.3, bound: 1.2, noise: 0.03 }
    }

    /// Values per sample: h_0, y, noise.
    pub fn inputs(&self) -> usize {
        self.d + self.outputs + self.blocks * self.d
    }

    /// Checks the description.
    ///
    /// ```
    /// use nn::Architecture;
    /// let system = nn::LqSpec::new(64, 12, 10).build()?;
    /// assert_eq!(system.shape().inputs, 64 + 10 + 12 * 64);
    /// # Ok::<(), nn::Error>(())
    /// ```
    pub fn build(self) -> Result<Lq, Error> {
        check_least(&[("d", self.d, 1), ("the number of outputs", self.outputs, 1)])?;
        let d = self.d as f64;
        check_most(d * (d * self.blocks as f64 + self.outputs as f64))?;
        let mut layout = Layout::default();
        let d = self.d;
        let mut push = |name: String, rows: usize| layout.push(Unit::Given, Role::Given, name, &[rows, d]);
        let dynamics = (0..self.blocks).map(|l| push(format!("blocks.{l}.weight"), d)).collect();
        let cost = push("cost.weight".to_owned(), self.outputs);
        Ok(Lq { spec: self, layout, dynamics, cost })
    }
}

impl Lq {
    /// The description it was built from.
    pub fn spec(&self) -> &LqSpec {
        &self.spec
    }

    /// Dynamics near the identity, scaled down to the bound, and a Gaussian cost.
    pub(super) fn given<T: Float>(&self, seed: u64) -> Vec<T> {
        let d = self.spec.d;
        let mut stream = Stream::new(seed, Purpose::Init);
        let mut params = vec![T::ZERO; self.layout.len()];
        let unit = 1.0 / (d as f64).sqrt();
        for range in &self.dynamics {
            let mut a: Vec<f64> = (0..d * d).map(|_| self.spec.step * unit * stream.normal()).collect();
            (0..d).for_each(|i| a[i * d + i] += 1.0);
            let norm = spectral_norm(&a, d);
            let factor = if norm > self.spec.bound { self.spec.bound / norm } else { 1.0 };
            for (i, value) in a.iter().enumerate() {
                params[range.start + in_panels(d, d, i % d, i / d)] = T::of(factor * value);
            }
        }
        let outputs = self.spec.outputs;
        for i in 0..outputs * d {
            params[self.cost.start + in_panels(d, outputs, i % d, i / d)] = T::of(unit * stream.normal());
        }
        params
    }
}

/// The largest singular value of a square matrix, by powers of AᵀA.
fn spectral_norm(a: &[f64], d: usize) -> f64 {
    let times = |v: &[f64], transposed: bool| -> Vec<f64> {
        let entry = |i: usize, k: usize| if transposed { a[k * d + i] } else { a[i * d + k] };
        (0..d).map(|i| (0..d).map(|k| entry(i, k) * v[k]).sum()).collect()
    };
    let mut v = vec![1.0 / (d as f64).sqrt(); d];
    let mut norm = 0.0;
    // The two largest singular values are often within 1 % of each other, so convergence is slow.
    for _ in 0..1000 {
        let next = times(&times(&v, false), true);
        let size = next.iter().map(|x| x * x).sum::<f64>().sqrt();
        norm = size.sqrt();
        v = next.iter().map(|x| x / size).collect();
    }
    norm
}
