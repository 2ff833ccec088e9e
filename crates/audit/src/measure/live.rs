//! Measures a network that lives elsewhere, such as a PyTorch model, from states, gradients and credits that are handed over
//! chunk by chunk. Only sums are kept. Whoever hands them over also runs the network's forward pass with a moved state.

use super::perturbation::directions;
use super::rotation::rotation;
use super::signals::{Signals, rows};
use super::streams::{LABELS, SAMPLES};
use super::sums::{Beside, Measurements, Sums};
use crate::measurements::{Directions, Downstream};
use nn::State;
use protocol::nudge_effect;
use record::audit::{NullKind, Settings};
use std::ops::Range;
use tensor::random::{Purpose, Stream};

/// The signals of some samples at h_0 … h_L, one row per sample. The gradient is that of each sample's own loss.
#[derive(Clone, Debug)]
pub struct LiveSignals<'a> {
    /// Number of samples.
    pub samples: usize,
    /// h_0 … h_L, or the part of them that is measured.
    pub h: Vec<&'a [f64]>,
    /// p_0 … p_L, in f64.
    pub p: Vec<&'a [f64]>,
    /// The same in f32; empty if there is none.
    pub p32: Vec<&'a [f32]>,
    /// The measured credit by unit, then that of each null.
    pub credits: Vec<Vec<&'a [f32]>>,
    /// e_T.
    pub error: &'a [f64],
    /// Sum of the losses of the samples.
    pub loss: f64,
}

/// The measurement of a network, chunk by chunk.
pub struct LiveMeasurement {
    states: Vec<State>,
    sums: Sums,
    given: Vec<(NullKind, u64)>,
    /// Rotations of the features, by state and draw.
    turned: Vec<Vec<Vec<(usize, f64)>>>,
    settings: Settings,
    samples: usize,
    loss: f64,
}

impl LiveMeasurement {
    /// For states of these widths. `given` are the nulls that come with the signals, and the number of their draws; if none of
    /// them is fresh feedback, the features of the credit are turned in its place.
    pub fn new(widths: &[usize], given: &[(NullKind, u64)], settings: &Settings) -> Self {
        let states: Vec<State> = widths.iter().map(|&width| State::flat(width)).collect();
        let fresh = given.iter().any(|(kind, _)| *kind == NullKind::FreshFeedback);
        let draws = if fresh { 0 } else { settings.draws };
        // A single feature could only change its sign.
        let draws = if widths.contains(&1) { 0 } else { draws };
        let of_width = |&width: &usize| (0..draws).map(|draw| rotation(settings.seed, draw, width)).collect();
        let turned: Vec<Vec<Vec<(usize, f64)>>> = widths.iter().map(of_width).collect();
        let credits = 1 + given.iter().map(|(_, draws)| *draws as usize).sum::<usize>() + draws as usize;
        Self {
            sums: Sums::new(&states, credits, settings),
            states,
            given: given.to_vec(),
            turned,
            settings: settings.clone(),
            samples: 0,
            loss: 0.0,
        }
    }

    /// Adds some samples. `rest` computes the loss where a state is moved; in place of a label it is given the index of the
    /// sample, counted from the first that was ever added.
    pub fn add(&mut self, signals: &LiveSignals<'_>, rest: &mut dyn Downstream<usize>) {
        let credits = signals.credits.len() + self.turned.first().map_or(0, Vec::len);
        let numbers: usize = self.states.iter().map(State::width).sum();
        let rows = rows(numbers * credits.max(self.settings.directions as usize));
        for start in (0..signals.samples).step_by(rows) {
            let range = start..signals.samples.min(start + rows);
            let part = self.part(signals, range.clone());
            let first = self.samples + start;
            let samples: Vec<usize> = (first..first + range.len()).collect();
            self.sums.add_norms(&part, samples.len());
            for l in 0..self.states.len() {
                let chunk = part.at(l, &self.states, first, &samples);
                let vectors = directions(chunk.reach, first..first + range.len(), &self.settings);
                let directions = Directions { vectors: &vectors, reach: chunk.reach };
                self.sums.layers[l].add(&chunk, &part, directions, rest, &self.settings);
            }
        }
        self.samples += signals.samples;
        self.loss += signals.loss;
    }

    /// The signals of some of the samples, with the credit turned.
    fn part(&self, signals: &LiveSignals<'_>, range: Range<usize>) -> Signals {
        let cut = |rows: &[f64], l: usize| {
            let width = self.states[l].width();
            rows[range.start * width..range.end * width].to_vec()
        };
        let cut32 = |rows: &[f32], l: usize| {
            let width = self.states[l].width();
            rows[range.start * width..range.end * width].to_vec()
        };
        let all = |layers: &[&[f64]]| layers.iter().enumerate().map(|(l, rows)| cut(rows, l)).collect();
        let all32 = |layers: &[&[f32]]| -> Vec<Vec<f32>> {
            layers.iter().enumerate().map(|(l, rows)| cut32(rows, l)).collect()
        };
        let mut credits: Vec<Vec<Vec<f32>>> = signals.credits.iter().map(|units| all32(units)).collect();
        for draw in 0..self.turned.first().map_or(0, Vec::len) {
            let turn = |(l, own): (usize, &Vec<f32>)| -> Vec<f32> {
                let rotation = &self.turned[l][draw];
                let row = |row: &[f32]| -> Vec<f32> {
                    rotation.iter().map(|&(from, sign)| sign as f32 * row[from]).collect()
                };
                own.chunks_exact(rotation.len()).flat_map(row).collect()
            };
            let turned = credits[0].iter().enumerate().map(turn).collect();
            credits.push(turned);
        }
        let classes = signals.error.len() / signals.samples;
        Signals {
            h: all(&signals.h),
            p: all(&signals.p),
            p32: all32(&signals.p32),
            credits,
            paper: None,
            logits: Vec::new(),
            error: signals.error[range.start * classes..range.end * classes].to_vec(),
            parameters: Vec::new(),
        }
    }

    /// The result. What a step along the gradient does is measured by moving the states: the weights are not here.
    pub fn finish(self) -> Measurements {
        let mut kinds = Vec::new();
        let mut from = 1;
        let turned = self.turned.first().map_or(0, |draws| draws.len() as u64);
        for (kind, draws) in self.given.into_iter().chain([(NullKind::TurnedFeatures, turned)]) {
            kinds.push((kind, from..from + draws as usize));
            from += draws as usize;
        }
        let beside = vec![Beside::default(); self.states.len()];
        let mut found = self.sums.finish(&kinds, beside, &self.settings);
        let loss = self.loss / self.samples as f64;
        for unit in &mut found.units {
            unit.effect = unit.here.as_ref().and_then(|here| nudge_effect(here, loss));
        }
        found
    }
}

/// Orders of the samples, one per draw: of the labels for permuted labels, of the credit otherwise.
pub fn orders(kind: NullKind, samples: usize, settings: &Settings) -> Vec<Vec<usize>> {
    let purpose = if kind == NullKind::PermutedLabels { LABELS } else { SAMPLES };
    let order = |draw: u64| {
        let mut order: Vec<usize> = (0..samples).collect();
        Stream::at(settings.seed, Purpose::Audit, purpose, draw).shuffle(&mut order);
        order
    };
    (0..settings.draws).map(order).collect()
}
