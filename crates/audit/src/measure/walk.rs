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
use crate::measurements::{Directions, NetworkDownstream};
use nn::Network;
use record::audit::Settings;
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
    let n = samples.labels.len();
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
    let reaches: BTreeSet<usize> = sizes.iter().map(nn::State::reached_features).collect();
    let reached: usize = sizes.iter().map(nn::State::reached_features).sum();
    let rows = rows(reached * nulls.credits().max(settings.directions as usize));
    let mut buffers = SignalBuffers::new(learner, &exact, &sizes, rows, training);
    let mut sums = Sums::new(&sizes, nulls.credits(), settings);
    let mut gradient = vec![0.0; exact.params.len()];
    for start in (0..n).step_by(rows) {
        let range = start..n.min(start + rows);
        let x = &samples.x[range.start * shape.inputs..range.end * shape.inputs];
        let labels = &samples.labels[range.clone()];
        let signals = buffers.signals(Samples { x, labels }, &nulls, range.clone());
        sums.add_norms(&signals, labels.len());
        // Of the sum over all samples only the sign is used, so it need not be a mean.
        let weight = labels.len() as f64;
        gradient.iter_mut().zip(&signals.parameters).for_each(|(sum, g)| *sum += weight * g);
        let of_reach = |&reach: &usize| (reach, directions(reach, range.clone(), settings));
        let directions: BTreeMap<usize, Vec<f64>> = reaches.iter().map(of_reach).collect();
        let add = |l: usize, sums: &mut LayerSums, rest: &mut NetworkDownstream<'_, N>| {
            let chunk = signals.at(l, &sizes, start, labels);
            let directions = Directions { vectors: &directions[&chunk.reach], reach: chunk.reach };
            sums.add(&chunk, &signals, directions, rest, settings);
        };
        let shares = share_out(&mut sums.layers, rests.len()).into_iter().zip(&mut rests);
        tensor::side_by_side(shares, |(share, rest)| {
            share.into_iter().for_each(|(l, sums)| add(l, sums, rest));
        });
    }
    let mean_credits = mean_credits(learner, &mut buffers, &sizes, samples, rows, settings);
    let effects = training.lr.map_or_else(
        || vec![None; layers],
        |lr| effects(&exact.net, &exact.params, &gradient, samples, lr, rests.len()),
    );
    let beside = mean_credits.into_iter().zip(effects);
    let beside = beside.map(|(mean_credit, effect)| Beside { mean_credit, effect }).collect();
    sums.finish(&nulls.kinds(), beside, settings)
}
