//! States, gradients and credits of a few samples: gradients in f64, credit as f32 training gives it.

use super::Samples;
use super::nulls::Nulls;
use nn::{Network, Tape};
use rules::{Chunk, Learner, credits, signals};
use std::ops::Range;

/// Samples in a chunk.
pub(super) const ROWS: usize = 32;

/// Buffers for one chunk after the other.
pub(super) struct Chunks<'a, N: Network<f32> + Network<f64>> {
    trained: &'a Learner<f32, N>,
    exact: &'a Learner<f64, N>,
    single: Chunk<f32, N>,
    double: Chunk<f64, N>,
    batch: usize,
}

/// What a chunk holds, in f64.
pub(super) struct Signals64 {
    /// h_0 … h_L.
    pub(super) h: Vec<Vec<f64>>,
    /// p_0 … p_L.
    pub(super) p: Vec<Vec<f64>>,
    /// p_0 … p_L as f32 computes them.
    pub(super) p32: Vec<Vec<f32>>,
    /// For each credit (the measured one first, then the nulls), by unit.
    pub(super) credits: Vec<Vec<Vec<f64>>>,
    /// e_T.
    pub(super) error: Vec<f64>,
}

impl<'a, N: Network<f32> + Network<f64>> Chunks<'a, N> {
    pub(super) fn new(trained: &'a Learner<f32, N>, exact: &'a Learner<f64, N>, batch: usize) -> Self {
        let (single, double) = (trained.chunk(ROWS), exact.chunk(ROWS));
        Self { trained, exact, single, double, batch }
    }

    pub(super) fn signals(&mut self, part: Samples<'_>, nulls: &Nulls<N>, range: Range<usize>) -> Signals64 {
        self.single.labels = part.labels.to_vec();
        self.single.x[..part.x.len()].copy_from_slice(part.x);
        self.double.labels = part.labels.to_vec();
        self.double.x.iter_mut().zip(part.x).for_each(|(wide, &x)| *wide = f64::from(x));
        let reference = signals(self.exact, &mut self.double, self.batch).p;
        let layers = reference.len();
        let h = (0..layers).map(|l| self.double.tape().hidden(l).to_vec()).collect();
        let used = signals(self.trained, &mut self.single, self.batch);
        let wide = |layers: &[Vec<f32>]| -> Vec<Vec<f64>> {
            layers.iter().map(|rows| rows.iter().map(|&x| f64::from(x)).collect()).collect()
        };
        let mut all = vec![wide(&used.credit)];
        for (rule, labels) in nulls.draws(&*self.trained.rule, part.labels, range) {
            all.push(wide(&credits(rule, self.trained, &mut self.single, labels, self.batch)));
        }
        Signals64 { h, p: reference, p32: used.p, credits: all, error: self.double.error().to_vec() }
    }
}
