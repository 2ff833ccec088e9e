//! The layout of the system's parameters, and their random values.

use super::LqSpec;
use crate::{Layout, Role, Unit};
use std::ops::Range;
use tensor::random::{Purpose, Stream};
use tensor::{Float, in_panels};

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

impl Lq {
    pub(super) fn new(spec: LqSpec) -> Self {
        let mut layout = Layout::default();
        let d = spec.d;
        let mut push = |name: String, rows: usize| layout.push(Unit::Given, Role::Given, name, &[rows, d]);
        let dynamics = (0..spec.blocks).map(|l| push(format!("blocks.{l}.weight"), d)).collect();
        let cost = push("cost.weight".to_owned(), spec.outputs);
        Self { spec, layout, dynamics, cost }
    }

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
