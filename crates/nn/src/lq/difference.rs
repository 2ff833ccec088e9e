//! The system's forward difference: products alone, in which noise and target cancel.

use super::Lq;
use crate::difference::narrow;
use crate::{Differences, ForwardDifference, UnmovedSamples};
use std::ops::Range;
use tensor::{Mat, Panels, Right, Sides, half_square_shift, matmul};

/// A system with its parameters.
pub(crate) struct LqDifference<'a> {
    net: &'a Lq,
    params: Vec<f32>,
}

/// The unmoved outputs.
struct LqAt<'a> {
    of: &'a LqDifference<'a>,
    outputs: Vec<f64>,
    losses: Vec<f64>,
}

impl<'a> LqDifference<'a> {
    pub(crate) fn new(net: &'a Lq, params: &[f64]) -> Self {
        Self { net, params: narrow(params) }
    }

    /// The shifts behind a matrix of so many outputs.
    fn through(&self, shifts: &[f32], matrix: &Range<usize>, outputs: usize) -> Vec<f32> {
        let d = self.net.spec.d;
        let rows = shifts.len() / d;
        let mut out = vec![0.0; rows * outputs];
        let matrix = Panels::new(&self.params[matrix.clone()], d, outputs);
        matmul(&mut out, 1.0, Mat::new(shifts, rows, d), Right::Panels(matrix));
        out
    }
}

impl ForwardDifference for LqDifference<'_> {
    fn around<'a>(&'a self, samples: UnmovedSamples<'_>) -> Box<dyn Differences + 'a> {
        let cost = |row: &[f64]| 0.5 * row.iter().map(|z| z * z).sum::<f64>();
        let losses = samples.logits.chunks_exact(self.net.spec.outputs).map(cost).collect();
        Box::new(LqAt { of: self, outputs: samples.logits.to_vec(), losses })
    }
}

impl Differences for LqAt<'_> {
    fn losses(&self) -> &[f64] {
        &self.losses
    }

    fn changes(&self, layer: usize, shifts: &[f32], owners: &[usize], sides: Sides, changes: &mut [f64]) {
        let net = self.of.net;
        let outputs = net.spec.outputs;
        let mut x = shifts.to_vec();
        for matrix in &net.dynamics[layer..] {
            x = self.of.through(&x, matrix, net.spec.d);
        }
        let x = self.of.through(&x, &net.cost, outputs);
        for ((change, shift), &owner) in changes.iter_mut().zip(x.chunks_exact(outputs)).zip(owners) {
            *change = half_square_shift(&self.outputs[owner * outputs..][..outputs], shift, sides);
        }
    }
}
