//! What a log holds after each epoch: norms of states, gradients and credits, and the cosines between the last two.

use crate::measurements::{CosineMean, Participation, median, norms};
use protocol::{at_floor, growth};
use record::series::{COSINE, COSINE_AT_INPUT, CREDIT, GRADIENT, HIDDEN, PARTICIPATION_RATIO};
use record::{Evaluation, Measured};
use std::collections::BTreeMap;
use tensor::Float;

/// The measurements of an epoch, chunk by chunk. Rows are of the part of a state that feedback reaches.
#[derive(Clone, Debug)]
pub struct EpochSums {
    /// Features of h_0 … h_L.
    widths: Vec<usize>,
    hidden: Vec<Vec<f64>>,
    gradient: Vec<Vec<f64>>,
    credit: Vec<Vec<f64>>,
    error: Vec<f64>,
    cosine: Vec<CosineMean>,
    cosine_at_input: Vec<CosineMean>,
    spread: Vec<Participation<f32>>,
}

impl EpochSums {
    /// For states of these widths.
    pub fn new(widths: Vec<usize>) -> Self {
        let layers = widths.len();
        Self {
            hidden: vec![Vec::new(); layers],
            gradient: vec![Vec::new(); layers],
            credit: vec![Vec::new(); layers],
            error: Vec::new(),
            cosine: vec![CosineMean::default(); layers],
            cosine_at_input: vec![CosineMean::default(); layers.saturating_sub(1)],
            spread: widths.iter().map(|&width| Participation::new(width)).collect(),
            widths,
        }
    }

    /// Adds h, p and a at h_l, and the credit of block l where it is compared at the block's input.
    pub fn add<P: Float>(&mut self, l: usize, h: &[f32], p: &[P], a: &[f32], at_input: Option<&[f32]>) {
        let width = self.widths[l];
        self.hidden[l].extend(norms(h, width));
        self.spread[l].add(h);
        self.gradient[l].extend(norms(p, width));
        self.credit[l].extend(norms(a, width));
        self.cosine[l].add(a, p, width);
        if let (Some(mean), Some(a)) = (self.cosine_at_input.get_mut(l), at_input) {
            mean.add(a, p, width);
        }
    }

    /// Adds the error at the logits.
    pub fn add_error<E: Float>(&mut self, error: &[E], classes: usize) {
        self.error.extend(norms(error, classes));
    }

    /// The evaluation, whose gradients below `floor`, at the N of the floor, are no sound reference.
    pub fn finish(self, floor: f64) -> Evaluation {
        let medians = |layers: Vec<Vec<f64>>| layers.into_iter().map(median).collect::<Vec<f64>>();
        let hidden = medians(self.hidden);
        let gradient = medians(self.gradient);
        let cosines = |means: &[CosineMean]| -> Vec<Measured> {
            let finish = |(mean, &p): (&CosineMean, &f64)| mean.finish(at_floor(p), floor);
            means.iter().zip(&gradient).map(finish).collect()
        };
        let series = BTreeMap::from([
            COSINE.series(cosines(&self.cosine)),
            COSINE_AT_INPUT.series(cosines(&self.cosine_at_input)),
            PARTICIPATION_RATIO.series(self.spread.iter().map(Participation::finish)),
            HIDDEN.series(hidden.iter().copied()),
            GRADIENT.series(gradient.iter().copied()),
            CREDIT.series(medians(self.credit)),
        ]);
        Evaluation {
            samples: self.error.len() as u64,
            growth: growth(&hidden),
            error: median(self.error),
            series,
            notes: BTreeMap::new(),
        }
    }
}
