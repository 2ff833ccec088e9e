//! All measurements of one network and its rule, on one set of samples.
//!
//! Samples pass in chunks. For each chunk the credit, its nulls and the gradient are computed once; directions are shared
//! by all layers and all credits, so that the loss is perturbed once a layer however many nulls there are.

mod chunk;
pub(crate) mod layer;
pub(crate) mod nulls;
mod seen;
pub(crate) mod sums;

use crate::measure::{
    DIRECTION_BATCH, DIRECTION_BATCHES, NetworkDownstream, direction_stability, growth, unit_directions,
};
use crate::standing;
use chunk::{Chunks, ROWS, Signals64};
use layer::{Layer, predictions};
use nn::Network;
use nulls::{DIRECTIONS, Nulls};
use record::audit::{Settings, State, UnitAudit};
use rules::{Bp, Learner, Modifiers};
use seen::Gathering;
use sums::{Chunk, Moved, Place, Reference};
use tensor::random::{Purpose, Stream};

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
/// let rule = rules::build("bp", nn::Network::<f32>::shape(&net), 1)?;
/// let learner = Learner::<f32, nn::Mlp>::new(net, rule, Modifiers::default(), 1);
/// let x: Vec<f32> = (0..3 * 40).map(|i| ((i * 37) as f32).sin()).collect();
/// let labels: Vec<u8> = (0..40).map(|i| i % 4).collect();
/// let settings = audit::settings(&audit::Thresholds::default(), 40);
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
    let (layers, width, n) = (shape.blocks + 1, shape.width, samples.labels.len());
    let params = learner.params.iter().map(|&x| f64::from(x)).collect();
    let exact = Learner::<f64, N>::with(learner.net.clone(), params, Box::new(Bp), Modifiers::default());
    let rest = NetworkDownstream::new(&learner.net, &learner.params);
    let mut rests: Vec<_> = (0..threads.clamp(1, layers)).map(|_| rest.another()).collect();
    let nulls = Nulls::new(learner, samples.labels, settings);
    let mut chunks = Chunks::new(learner, &exact, batch);
    let place = |unit: usize, layer: usize| {
        Place::new(unit, layer, nulls.credits(), settings.etas.len(), unit == layer)
    };
    let at = |l: usize| AtLayer {
        layer: Layer::default(),
        here: place(l, l),
        paper: (l + 1 < layers).then(|| place(l + 1, l)),
    };
    let mut at: Vec<AtLayer> = (0..layers).map(at).collect();
    let mut seen = Gathering::new(layers);
    for start in (0..n).step_by(ROWS) {
        let range = start..n.min(start + ROWS);
        let x = &samples.x[range.start * shape.inputs..range.end * shape.inputs];
        let labels = &samples.labels[range.clone()];
        let signals = chunks.signals(Samples { x, labels }, &nulls, range.clone());
        seen.add(&signals, width, shape.classes);
        let Signals64 { h, p, credits, .. } = &signals;
        let chunk = Chunk { start, labels, width, h, p, credits };
        let directions: Vec<f64> = range
            .flat_map(|sample| {
                let mut stream = Stream::at(settings.seed, Purpose::Audit, DIRECTIONS, sample as u64);
                unit_directions(&mut stream, settings.directions as usize, width)
            })
            .collect();
        let (predicted, columns) = predictions(&chunk, &directions, settings.directions as usize);
        let work = |l: usize, at: &mut AtLayer, rest: &mut NetworkDownstream<'_, N>| {
            let (losses, changes) = at.layer.add(l, &chunk, &directions, rest, settings);
            for (row, &change) in predicted.chunks_exact(columns).zip(&changes) {
                at.layer.correlation.add(row[columns - layers + l], change);
            }
            let moved = Moved { losses: &losses, changes: &changes, predicted: &predicted, columns };
            for place in std::iter::once(&mut at.here).chain(&mut at.paper) {
                place.compare(&chunk);
                place.perturb(&chunk, &moved, rest, settings);
            }
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
    let evidence = |place: &Place| {
        let (l, layer) = (place.layer(), &at[place.layer()].layer);
        let (gradient, precisions, step) = (seen.gradient[l], seen.precisions[l], layer.step.as_ref());
        let (correlation, nudges) = (&layer.correlation, layer.nudges.as_slice());
        place.finish(&kinds, &Reference { gradient, precisions, correlation, nudges, step }, n, settings)
    };
    let unit = |index: usize| {
        let here = evidence(&at[index].here);
        let (standing, notes) = standing(&here);
        UnitAudit {
            unit: unit_name(index),
            credit: Some(seen.credit[index]),
            paper: index.checked_sub(1).and_then(|l| at[l].paper.as_ref()).map(&evidence),
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
    Measurements {
        states: (0..layers).map(state).collect(),
        units: (0..layers).map(unit).collect(),
        error: seen.error,
        growth: growth(&seen.hidden),
        direction: direction_stability(&seen.middle, width, DIRECTION_BATCH, DIRECTION_BATCHES),
    }
}

/// What is added up at one layer: what is done once, and the credits held against it, of the unit that acts there and of the
/// one that the paper compares.
struct AtLayer {
    layer: Layer,
    here: Place,
    paper: Option<Place>,
}

/// Layers for each thread, with about equal numbers of blocks above them.
fn share_out(at: &mut [AtLayer], threads: usize) -> Vec<Vec<(usize, &mut AtLayer)>> {
    let layers = at.len();
    let mut shares: Vec<(usize, Vec<_>)> = (0..threads).map(|_| (0, Vec::new())).collect();
    for (l, at) in at.iter_mut().enumerate() {
        if let Some(least) = shares.iter_mut().min_by_key(|(work, _)| *work) {
            least.0 += layers - l;
            least.1.push((l, at));
        }
    }
    shares.into_iter().map(|(_, share)| share).collect()
}

/// `embed`, `block 0`, …: the unit whose credit acts at h_index.
pub fn unit_name(index: usize) -> String {
    index.checked_sub(1).map_or_else(|| "embed".to_owned(), |block| format!("block {block}"))
}
