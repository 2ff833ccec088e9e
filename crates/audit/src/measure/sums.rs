//! Sums over the samples of all measurements, layer by layer, from which the result follows. They know no network: states,
//! gradients and credits come from whoever computes them.

use super::credit_sums::{CreditSums, Reference};
use super::layer_sums::LayerSums;
use super::sample_norms::SampleNorms;
use super::signals::Signals;
use crate::measurements::{DIRECTION_BATCH, DIRECTION_BATCHES, direction_stability};
use protocol::{growth, standing};
use record::Unit;
use record::audit::{Carried, Effect, MeanCredit, NullKind, Settings, State, UnitAudit};
use std::ops::Range;

/// The sums, chunk by chunk.
pub(super) struct Sums {
    states: Vec<nn::State>,
    pub(super) layers: Vec<LayerSums>,
    norms: SampleNorms,
    samples: usize,
}

/// The results of a measurement.
#[derive(Clone, Debug)]
pub struct Measurements {
    /// Hidden states.
    pub states: Vec<State>,
    /// Units, without drift.
    pub units: Vec<UnitAudit>,
    /// Median ‖e_T‖.
    pub error: f64,
    /// max ‖h_{l+1}‖/‖h_l‖.
    pub growth: f64,
    /// Mean pairwise cosine of batch-mean gradients at layer L/2; none if samples are too few.
    pub direction: Option<f64>,
    /// How carried loss changes agree with those of passes; none if nothing was carried.
    pub carried: Option<Carried>,
}

/// What was measured of a unit beside its credit.
#[derive(Clone, Debug, Default)]
pub(super) struct Beside {
    pub(super) mean_credit: Vec<MeanCredit>,
    pub(super) effect: Option<Effect>,
}

impl Sums {
    /// For so many credits, the measured one included.
    pub(super) fn new(states: &[nn::State], credits: usize, settings: &Settings) -> Self {
        let layers = states.len();
        let empty = |l: usize| {
            let alike = l + 1 < layers && states[l] == states[l + 1];
            LayerSums::new(credits, settings.etas.len(), alike)
        };
        Self {
            states: states.to_vec(),
            layers: (0..layers).map(empty).collect(),
            norms: SampleNorms::new(layers),
            samples: 0,
        }
    }

    /// Adds the norms of a chunk; its layers are added one by one, possibly by several threads.
    pub(super) fn add_norms(&mut self, signals: &Signals, samples: usize) {
        self.norms.add(signals, &self.states, signals.error.len() / samples);
        self.samples += samples;
    }

    /// The result. `kinds` are the nulls and their ranges among the credits; `beside` is by unit.
    pub(super) fn finish(
        self,
        kinds: &[(NullKind, Range<usize>)],
        beside: Vec<Beside>,
        settings: &Settings,
    ) -> Measurements {
        let Self { states: sizes, layers, norms, samples } = self;
        let medians = norms.medians();
        let evidence = |l: usize, credit: &CreditSums| {
            let perturbation = &layers[l].perturbation;
            let reference = Reference {
                gradient: medians.gradient[l],
                exact: true,
                precisions: medians.precisions[l],
                correlation: &perturbation.correlation,
                nudges: &perturbation.nudges,
                step: perturbation.step.as_ref(),
            };
            credit.finish(kinds, &reference, samples, settings)
        };
        let unit = |(index, beside): (usize, Beside)| {
            let here = evidence(index, &layers[index].here);
            let below = index.checked_sub(1);
            let (standing, notes) = standing(&here, &settings.thresholds);
            UnitAudit {
                unit: Unit::at(index),
                credit: Some(medians.credit[index]),
                at_input: below.and_then(|l| Some(evidence(l, layers[l].paper.as_ref()?))),
                here: Some(here),
                drift: None,
                mean_credit: beside.mean_credit,
                effect: beside.effect,
                standing,
                notes,
            }
        };
        let state = |l: usize| State {
            hidden: Some(medians.hidden[l]),
            gradient: Some(medians.gradient[l]),
            precisions: medians.precisions[l],
            sensitivity: Some(medians.sensitivity[l]),
            probe: None,
            reference: None,
        };
        let middle = sizes[(sizes.len() - 1) / 2].reached_features();
        Measurements {
            states: (0..sizes.len()).map(state).collect(),
            units: beside.into_iter().enumerate().map(unit).collect(),
            error: medians.error,
            growth: growth(&medians.hidden),
            carried: None,
            direction: direction_stability(&medians.middle, middle, DIRECTION_BATCH, DIRECTION_BATCHES),
        }
    }
}
