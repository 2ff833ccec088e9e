//! One walk over the samples, chunk by chunk.
//!
//! Threads first share chunks, each of which needs its signals, then layers, whose sums are separate; the chunks come to each
//! layer in their order. So the number of threads leaves no trace.

use super::Samples;
use super::layer_sums::share_out;
use super::null_draws::NullDraws;
use super::perturbation::directions;
use super::signals::{SignalBuffers, Signals};
use super::sums::Sums;
use crate::measurements::{CarriedDownstream, Directions, NetworkDownstream};
use nn::{Differences, ForwardDifference, Network, UnmovedSamples};
use record::audit::Settings;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use tensor::side_by_side;

/// What a walk needs; one buffer and one downstream per thread.
pub(super) struct Walk<'a, N: Network<f32> + Network<f64>> {
    pub(super) samples: Samples<'a>,
    /// Samples per chunk.
    pub(super) rows: usize,
    pub(super) sizes: &'a [nn::State],
    pub(super) nulls: &'a NullDraws<N>,
    pub(super) buffers: Vec<SignalBuffers<'a, N>>,
    pub(super) rests: Vec<NetworkDownstream<'a, N>>,
    /// What carries differences, if the network has it.
    pub(super) carrier: Option<&'a dyn ForwardDifference>,
    pub(super) settings: &'a Settings,
}

/// A chunk before its states are moved.
struct Ready<'a> {
    start: usize,
    labels: &'a [u8],
    signals: Signals,
    /// By the length of the vectors.
    directions: BTreeMap<usize, Vec<f64>>,
    around: Option<Box<dyn Differences + 'a>>,
}

impl<'a, N: Network<f32> + Network<f64>> Walk<'a, N> {
    /// The sums over all samples, and the summed gradient of the parameters, with `values` of them. Where `by_passes` says so,
    /// loss changes are found by whole passes.
    pub(super) fn all(&mut self, by_passes: &[bool], values: usize) -> (Sums, Vec<f64>) {
        let Self { samples, rows, sizes, nulls, carrier, settings, .. } = *self;
        let mut sums = Sums::new(sizes, nulls.credits(), settings);
        let mut gradient = vec![0.0; values];
        let n = samples.labels.len();
        let starts: Vec<usize> = (0..n).step_by(rows).collect();
        for starts in starts.chunks(self.buffers.len()) {
            let work = self.buffers.iter_mut().zip(starts);
            let ready = side_by_side(work, |(buffers, &start)| {
                let range = start..n.min(start + rows);
                ready(buffers, samples, range, sizes, nulls, carrier, settings)
            });
            for chunk in &ready {
                sums.add_norms(&chunk.signals, chunk.labels.len());
                // Of the sum over all samples only the sign is used, so it need not be a mean.
                let weight = chunk.labels.len() as f64;
                gradient.iter_mut().zip(&chunk.signals.parameters).for_each(|(sum, g)| *sum += weight * g);
            }
            let shares = share_out(&mut sums.layers, self.rests.len()).into_iter().zip(&mut self.rests);
            side_by_side(shares, |(share, rest)| {
                for (l, sums) in share {
                    for chunk in &ready {
                        let around = chunk.around.as_deref().filter(|_| !by_passes[l]);
                        let mut rest = CarriedDownstream::new(rest, around);
                        let at = chunk.signals.at(l, sizes, chunk.start, chunk.labels);
                        let directions =
                            Directions { vectors: &chunk.directions[&at.reach], reach: at.reach };
                        sums.add(&at, &chunk.signals, directions, &mut rest, settings);
                        sums.held.add(rest.held());
                    }
                }
            });
        }
        (sums, gradient)
    }
}

/// The signals of a chunk, the directions that its states are moved along, and what differences around them need.
fn ready<'a, N: Network<f32> + Network<f64>>(
    buffers: &mut SignalBuffers<'_, N>,
    samples: Samples<'a>,
    range: Range<usize>,
    sizes: &[nn::State],
    nulls: &NullDraws<N>,
    carrier: Option<&'a dyn ForwardDifference>,
    settings: &Settings,
) -> Ready<'a> {
    let inputs = samples.x.len() / samples.labels.len();
    let x = &samples.x[range.start * inputs..range.end * inputs];
    let labels = &samples.labels[range.clone()];
    let signals = buffers.signals(Samples { x, labels }, nulls, range.clone());
    let reaches: BTreeSet<usize> = sizes.iter().map(nn::State::reached_features).collect();
    let of_reach = |&reach: &usize| (reach, directions(reach, range.clone(), settings));
    let directions = reaches.iter().map(of_reach).collect();
    let unmoved = UnmovedSamples { h: &signals.h, logits: &signals.logits, labels };
    let around = carrier.map(|carrier| carrier.around(unmoved));
    Ready { start: range.start, labels, signals, directions, around }
}
