//! Norms of every sample, layer by layer, and their medians.

use super::signals::Signals;
use crate::measurements::{CosineMean, median, norms};
use nn::State;

/// Norms of each sample, by layer, collected chunk by chunk.
pub(super) struct SampleNorms {
    hidden: Vec<Vec<f64>>,
    gradient: Vec<Vec<f64>>,
    sensitivity: Vec<Vec<f64>>,
    credit: Vec<Vec<f64>>,
    precisions: Vec<CosineMean>,
    error: Vec<f64>,
    middle: Vec<f64>,
}

/// The medians of [`SampleNorms`].
pub(super) struct MedianNorms {
    pub(super) hidden: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    /// ‖p‖·‖h‖.
    pub(super) sensitivity: Vec<f64>,
    pub(super) credit: Vec<f64>,
    /// Mean cosine of f32 and f64 gradients.
    pub(super) precisions: Vec<Option<f64>>,
    pub(super) error: f64,
    /// p at layer L/2, all samples.
    pub(super) middle: Vec<f64>,
}

impl SampleNorms {
    pub(super) fn new(layers: usize) -> Self {
        let empty = || vec![Vec::new(); layers];
        Self {
            hidden: empty(),
            gradient: empty(),
            sensitivity: empty(),
            credit: empty(),
            precisions: vec![CosineMean::default(); layers],
            error: Vec::new(),
            middle: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, signals: &Signals, states: &[State], classes: usize) {
        for (l, state) in states.iter().enumerate() {
            let reach = state.reached_features();
            let hidden: Vec<f64> = norms(&state.reached_part(&signals.h[l]), reach).collect();
            let gradient: Vec<f64> = norms(&signals.p[l], reach).collect();
            self.sensitivity[l].extend(hidden.iter().zip(&gradient).map(|(h, p)| h * p));
            self.hidden[l].extend(hidden);
            self.gradient[l].extend(gradient);
            self.credit[l].extend(norms(&signals.credits[0][l], reach));
            if let Some(single) = signals.p32.get(l) {
                self.precisions[l].add(single, &signals.p[l], reach);
            }
        }
        self.error.extend(norms(&signals.error, classes));
        self.middle.extend_from_slice(&signals.p[(states.len() - 1) / 2]);
    }

    pub(super) fn medians(self) -> MedianNorms {
        let medians = |all: Vec<Vec<f64>>| all.into_iter().map(median).collect();
        MedianNorms {
            hidden: medians(self.hidden),
            gradient: medians(self.gradient),
            sensitivity: medians(self.sensitivity),
            credit: medians(self.credit),
            precisions: self.precisions.iter().map(CosineMean::agreement).collect(),
            error: median(self.error),
            middle: self.middle,
        }
    }
}
