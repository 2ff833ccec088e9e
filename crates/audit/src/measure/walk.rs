//! The pass over the samples.
//!
//! For each chunk of samples the credit, its nulls and the gradient are computed once. Directions are shared by all
//! credits, so the loss is perturbed once per layer, however many nulls there are. Of states with positions only the part
//! that feedback reaches is measured and moved.

use super::layer_sums::{LayerSums, share_out};
use super::mean_credit::mean_credits;
use super::null_draws::NullDraws;
use super::perturbation::directions;
use super::reach::effects;
use super::signals::{SignalBuffers, rows};
use super::sums::{Beside, Measurements, Sums};
use crate::measurements::{CarriedDownstream, Directions, NetworkDownstream, largest};
use nn::{ForwardDifference, Network, UnmovedSamples};
use record::Unit;
use record::audit::{Carried, Settings};
use rules::{Bp, Learner, Modifiers, Normalise};
use std::collections::{BTreeMap, BTreeSet};

/// Inputs and labels, sample by sample.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    /// Inputs.
    pub x: &'a [f32],
    /// Labels.
    pub labels: &'a [u8],
}

/// How the network is trained.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// N over which training reduces, for rules whose credit is that of a mean.
    pub batch: usize,
    /// The optimiser's learning rate at its largest; none if its step is not to be measured. On few samples such a step fits
    /// their noise as well, and does more than it can.
    pub lr: Option<f64>,
}

/// Measures a network trained in f32, with credit in f32 and the reference in f64.
///
/// Threads share the layers, whose sums are separate, so the number of threads does not change the result.
///
/// ```
/// use record::audit::Standing;
/// use rules::{Learner, Modifiers};
/// let net = nn::MlpSpec::resmlp(3, 8, 2, 4).build()?;
/// let learner = Learner::<f32, nn::Mlp>::new(net, &"bp".into(), Modifiers::default(), 1)?;
/// let x: Vec<f32> = (0..3 * 40).map(|i| ((i * 37) as f32).sin()).collect();
/// let labels: Vec<u8> = (0..40).map(|i| i % 4).collect();
/// let settings = protocol::settings(&protocol::THRESHOLDS, 40);
/// let training = audit::Training { batch: 128, lr: Some(1e-3) };
/// let found = audit::measure(&learner, audit::Samples { x: &x, labels: &labels }, training, &settings, 1);
/// assert!(found.units.iter().all(|unit| unit.standing == Standing::Useful), "{:?}", found.units);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn measure<N: Network<f32> + Network<f64> + Clone + 'static>(
    learner: &Learner<f32, N>,
    samples: Samples<'_>,
    training: Training,
    settings: &Settings,
    threads: usize,
) -> Measurements {
    let shape = learner.net.shape();
    let layers = shape.blocks + 1;
    let sizes: Vec<nn::State> = (0..layers).map(|l| learner.net.state(l)).collect();
    let params = learner.params.iter().map(|&x| f64::from(x)).collect();
    let exact = Learner::<f64, N>::with(
        learner.net.clone(),
        params,
        Box::new(Bp),
        Normalise::None,
        Modifiers::default(),
    );
    let rest = NetworkDownstream::new(&learner.net, &learner.params);
    let mut rests: Vec<_> = (0..threads.clamp(1, layers)).map(|_| rest.another()).collect();
    let nulls = NullDraws::new(learner, samples.labels, settings);
    let reached: usize = sizes.iter().map(nn::State::reached_features).sum();
    let rows = rows(reached * nulls.credits().max(settings.directions as usize));
    let mut buffers = SignalBuffers::new(learner, &exact, &sizes, rows, training);
    let carrier = learner.net.forward_difference(&exact.params);
    let mut carried = carrier.as_ref().map(|_| Carried::default());
    let mut gradient = vec![0.0; exact.params.len()];
    // States whose loss changes are found by whole passes: all where nothing can be carried, else those that a first walk
    // shows to need it.
    let mut by_passes = vec![carrier.is_none(); layers];
    let sums = loop {
        let mut sums = Sums::new(&sizes, nulls.credits(), settings);
        gradient.fill(0.0);
        let carrier = carrier.as_deref();
        walk(
            &mut sums,
            &mut gradient,
            &mut buffers,
            &mut rests,
            carrier,
            &by_passes,
            &nulls,
            samples,
            rows,
            settings,
        );
        let Some(carried) = &mut carried else { break sums };
        let differing: Vec<usize> =
            (0..layers).filter(|&l| !by_passes[l] && !sums.layers[l].agrees()).collect();
        for layer in &sums.layers {
            carried.compared += layer.held.compared;
            carried.largest = largest([carried.largest, layer.held.difference()]);
        }
        if differing.is_empty() {
            break sums;
        }
        for l in differing {
            by_passes[l] = true;
            carried.replaced.push(Unit::at(l));
        }
    };
    let mean_credits = mean_credits(learner, &mut buffers, &sizes, samples, rows, settings);
    let effects = training.lr.map_or_else(
        || vec![None; layers],
        |lr| effects(&exact.net, &exact.params, &gradient, samples, lr, rests.len()),
    );
    let beside = mean_credits.into_iter().zip(effects);
    let beside = beside.map(|(mean_credit, effect)| Beside { mean_credit, effect }).collect();
    Measurements { carried, ..sums.finish(&nulls.kinds(), beside, settings) }
}

/// Adds all samples, chunk by chunk, to the sums and to the gradient of the parameters.
#[expect(clippy::too_many_arguments, reason = "all that a walk needs, once")]
fn walk<N: Network<f32> + Network<f64> + Clone + 'static>(
    sums: &mut Sums,
    gradient: &mut [f64],
    buffers: &mut SignalBuffers<'_, N>,
    rests: &mut [NetworkDownstream<'_, N>],
    carrier: Option<&dyn ForwardDifference>,
    by_passes: &[bool],
    nulls: &NullDraws<N>,
    samples: Samples<'_>,
    rows: usize,
    settings: &Settings,
) {
    let n = samples.labels.len();
    let inputs = samples.x.len() / n.max(1);
    let sizes = sums.states().to_vec();
    let reaches: BTreeSet<usize> = sizes.iter().map(nn::State::reached_features).collect();
    for start in (0..n).step_by(rows) {
        let range = start..n.min(start + rows);
        let x = &samples.x[range.start * inputs..range.end * inputs];
        let labels = &samples.labels[range.clone()];
        let signals = buffers.signals(Samples { x, labels }, nulls, range.clone());
        sums.add_norms(&signals, labels.len());
        // Of the sum over all samples only the sign is used, so it need not be a mean.
        let weight = labels.len() as f64;
        gradient.iter_mut().zip(&signals.parameters).for_each(|(sum, g)| *sum += weight * g);
        let of_reach = |&reach: &usize| (reach, directions(reach, range.clone(), settings));
        let directions: BTreeMap<usize, Vec<f64>> = reaches.iter().map(of_reach).collect();
        let unmoved = UnmovedSamples { h: &signals.h, logits: &signals.logits, labels };
        let around = carrier.map(|carrier| carrier.around(unmoved));
        let add = |l: usize, sums: &mut LayerSums, rest: &mut NetworkDownstream<'_, N>| {
            let chunk = signals.at(l, &sizes, start, labels);
            let directions = Directions { vectors: &directions[&chunk.reach], reach: chunk.reach };
            let mut rest = CarriedDownstream::new(rest, around.as_deref().filter(|_| !by_passes[l]));
            sums.add(&chunk, &signals, directions, &mut rest, settings);
            sums.held.add(rest.held());
        };
        let shares = share_out(&mut sums.layers, rests.len()).into_iter().zip(&mut *rests);
        tensor::side_by_side(shares, |(share, rest)| {
            share.into_iter().for_each(|(l, sums)| add(l, sums, rest));
        });
    }
}
