//! All measurements of one network and its rule, on one set of samples.
//!
//! Samples pass in chunks. For each chunk the credit, its nulls and the gradient are computed once; directions are shared
//! by all credits, so that the loss is perturbed once a layer however many nulls there are. Of states with positions only
//! what feedback reaches is measured and moved.

mod at;
mod chunk;
pub(crate) mod layer;
pub(crate) mod nulls;
mod seen;
pub(crate) mod sums;

use crate::measure::{
    DIRECTION_BATCH, DIRECTION_BATCHES, Directions, NetworkDownstream, direction_stability, growth,
};
use at::{AtLayer, share_out};
use chunk::{Chunks, rows};
use layer::directions;
use nn::Network;
use nulls::Nulls;
use protocol::standing;
use record::Unit;
use record::audit::{Settings, State, UnitAudit};
use rules::{Bp, Learner, Modifiers};
use seen::Gathering;
use std::collections::{BTreeMap, BTreeSet};
use sums::{Chunk, Place, Reference};

/// Inputs and labels, sample after sample.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    /// Inputs.
    pub x: &'a [f32],
    /// Labels.
    pub labels: &'a [u8],
}

/// What was measured.
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
    /// Mean pairwise cosine of batch-mean gradients at layer L/2; none with too few samples.
    pub direction: Option<f64>,
}

/// Measures a network that f32 has trained, with credit as f32 gives it and the reference in f64.
///
/// `batch` is the N over which training reduces, for rules whose credit is that of a mean. Threads share the layers, each of
/// which adds up by itself, so that their number leaves no trace.
///
/// ```
/// use record::audit::Standing;
/// use rules::{Learner, Modifiers};
/// let net = nn::MlpSpec::resmlp(3, 8, 2, 4).build()?;
/// let learner = Learner::<f32, nn::Mlp>::new(net, &"bp".into(), Modifiers::default(), 1)?;
/// let x: Vec<f32> = (0..3 * 40).map(|i| ((i * 37) as f32).sin()).collect();
/// let labels: Vec<u8> = (0..40).map(|i| i % 4).collect();
/// let settings = protocol::settings(&protocol::Thresholds::default(), 40);
/// let found = audit::measure(&learner, audit::Samples { x: &x, labels: &labels }, 128, &settings, 1);
/// assert!(found.units.iter().all(|unit| unit.standing == Standing::Useful), "{:?}", found.units);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn measure<N: Network<f32> + Network<f64> + Clone + 'static>(
    learner: &Learner<f32, N>,
    samples: Samples<'_>,
    batch: usize,
    settings: &Settings,
    threads: usize,
) -> Measurements {
    let shape = Network::<f32>::shape(&learner.net);
    let (layers, n) = (shape.blocks + 1, samples.labels.len());
    let sizes: Vec<nn::State> = (0..layers).map(|l| Network::<f32>::state(&learner.net, l)).collect();
    let params = learner.params.iter().map(|&x| f64::from(x)).collect();
    let exact = Learner::<f64, N>::with(learner.net.clone(), params, Box::new(Bp), Modifiers::default());
    let rest = NetworkDownstream::new(&learner.net, &learner.params);
    let mut rests: Vec<_> = (0..threads.clamp(1, layers)).map(|_| rest.another()).collect();
    let nulls = Nulls::new(learner, samples.labels, settings);
    let reaches: BTreeSet<usize> = sizes.iter().map(nn::State::reach).collect();
    let reached: usize = sizes.iter().map(nn::State::reach).sum();
    let rows = rows(reached * nulls.credits().max(settings.directions as usize));
    let mut chunks = Chunks::new(learner, &exact, &sizes, rows, batch);
    let at = |l: usize| {
        let alike = l + 1 < layers && sizes[l] == sizes[l + 1];
        AtLayer::new(nulls.credits(), settings.etas.len(), alike)
    };
    let mut at: Vec<AtLayer> = (0..layers).map(at).collect();
    let mut seen = Gathering::new(layers);
    for start in (0..n).step_by(rows) {
        let range = start..n.min(start + rows);
        let x = &samples.x[range.start * shape.inputs..range.end * shape.inputs];
        let labels = &samples.labels[range.clone()];
        let signals = chunks.signals(Samples { x, labels }, &nulls, range.clone());
        seen.add(&signals, &sizes, shape.classes);
        let of_reach = |&reach: &usize| (reach, directions(reach, range.clone(), settings));
        let directions: BTreeMap<usize, Vec<f64>> = reaches.iter().map(of_reach).collect();
        let work = |l: usize, at: &mut AtLayer, rest: &mut NetworkDownstream<'_, N>| {
            let reach = sizes[l].reach();
            let chunk = Chunk { start, layer: l, labels, h: &signals.h[l], p: &signals.p[l], reach };
            let directions = Directions { vectors: &directions[&reach], reach };
            at.add(&chunk, &signals, directions, rest, settings);
        };
        std::thread::scope(|scope| {
            let mut shares = share_out(&mut at, rests.len()).into_iter().zip(&mut rests);
            let own = shares.next();
            let work = &work;
            let all = move |(share, rest): (Vec<(usize, &mut AtLayer)>, &mut _)| {
                share.into_iter().for_each(|(l, at)| work(l, at, &mut *rest));
            };
            for share in shares {
                scope.spawn(move || all(share));
            }
            own.into_iter().for_each(all);
        });
    }
    let (seen, kinds) = (seen.finish(), nulls.kinds());
    let evidence = |l: usize, place: &Place| {
        let layer = &at[l].layer;
        let (gradient, precisions, step) = (seen.gradient[l], seen.precisions[l], layer.step.as_ref());
        let (correlation, nudges) = (&layer.correlation, layer.nudges.as_slice());
        place.finish(&kinds, &Reference { gradient, precisions, correlation, nudges, step }, n, settings)
    };
    let unit = |index: usize| {
        let here = evidence(index, &at[index].here);
        let below = index.checked_sub(1);
        let (standing, notes) = standing(&here);
        UnitAudit {
            unit: Unit::at(index),
            credit: Some(seen.credit[index]),
            at_input: below.and_then(|l| Some(evidence(l, at[l].paper.as_ref()?))),
            here: Some(here),
            drift: None,
            standing,
            notes,
        }
    };
    let state = |l: usize| State {
        hidden: Some(seen.hidden[l]),
        gradient: Some(seen.gradient[l]),
        precisions: seen.precisions[l],
        probe: None,
    };
    let middle = sizes[shape.blocks / 2].reach();
    Measurements {
        states: (0..layers).map(state).collect(),
        units: (0..layers).map(unit).collect(),
        error: seen.error,
        growth: growth(&seen.hidden),
        direction: direction_stability(&seen.middle, middle, DIRECTION_BATCH, DIRECTION_BATCHES),
    }
}
