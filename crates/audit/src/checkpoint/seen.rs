//! Norms and gradients over all samples.

use super::chunk::Signals64;
use crate::measure::{CosineMean, median, norms};

/// Norms of each sample, by layer.
pub(super) struct Gathering {
    hidden: Vec<Vec<f64>>,
    gradient: Vec<Vec<f64>>,
    credit: Vec<Vec<f64>>,
    precisions: Vec<CosineMean>,
    error: Vec<f64>,
    middle: Vec<f64>,
}

/// Their medians.
pub(super) struct Seen {
    pub(super) hidden: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    pub(super) credit: Vec<f64>,
    /// Mean cosine of f32 and f64 gradients.
    pub(super) precisions: Vec<Option<f64>>,
    pub(super) error: f64,
    /// p at layer L/2, all samples.
    pub(super) middle: Vec<f64>,
}

impl Gathering {
    pub(super) fn new(layers: usize) -> Self {
        let empty = || vec![Vec::new(); layers];
        Self {
            hidden: empty(),
            gradient: empty(),
            credit: empty(),
            precisions: vec![CosineMean::default(); layers],
            error: Vec::new(),
            middle: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, signals: &Signals64, width: usize, classes: usize) {
        let layers = self.hidden.len();
        for l in 0..layers {
            self.hidden[l].extend(norms(&signals.h[l], width));
            self.gradient[l].extend(norms(&signals.p[l], width));
            self.credit[l].extend(norms(&signals.credits[0][l], width));
            self.precisions[l].add(&signals.p32[l], &signals.p[l], width);
        }
        self.error.extend(norms(&signals.error, classes));
        self.middle.extend_from_slice(&signals.p[(layers - 1) / 2]);
    }

    pub(super) fn finish(self) -> Seen {
        let medians = |all: Vec<Vec<f64>>| all.into_iter().map(median).collect();
        Seen {
            hidden: medians(self.hidden),
            gradient: medians(self.gradient),
            credit: medians(self.credit),
            precisions: self.precisions.iter().map(CosineMean::agreement).collect(),
            error: median(self.error),
            middle: self.middle,
        }
    }
}
