//! All measurements of a network.
//!
//! For each chunk of samples the credit, its nulls and the gradient are computed once. Directions are shared by all
//! credits, so the loss is perturbed once per layer, however many nulls there are. Of states with positions only the part
//! that feedback reaches is measured and moved.

use super::chunks::Walk;
use super::mean_credit::mean_credits;
use super::null_draws::NullDraws;
use super::reach::effects;
use super::signals::{SignalBuffers, rows};
use super::sums::{Beside, Measurements};
use crate::measurements::{NetworkDownstream, largest};
use nn::Network;
use record::Unit;
use record::audit::{Carried, Settings};
use rules::{Bp, Learner, Modifiers, Normalise};

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
/// The number of threads does not change the result.
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
    let nulls = NullDraws::new(learner, samples.labels, settings);
    let reached: usize = sizes.iter().map(nn::State::reached_features).sum();
    let rows = rows(reached * nulls.credits().max(settings.directions as usize));
    let threads = threads.max(1);
    let chunks = samples.labels.len().div_ceil(rows).max(1);
    let carrier = learner.net.forward_difference(&exact.params);
    let mut walk = Walk {
        samples,
        rows,
        sizes: &sizes,
        nulls: &nulls,
        buffers: (0..threads.min(chunks))
            .map(|_| SignalBuffers::new(learner, &exact, &sizes, rows, training))
            .collect(),
        rests: (0..threads.min(layers)).map(|_| rest.another()).collect(),
        carrier: carrier.as_deref(),
        settings,
    };
    let mut carried = carrier.as_ref().map(|_| Carried::default());
    // States whose loss changes are found by whole passes: all where nothing can be carried, else those that a first walk
    // shows to need it.
    let mut by_passes = vec![carrier.is_none(); layers];
    let (sums, gradient) = loop {
        let (sums, gradient) = walk.all(&by_passes, exact.params.len());
        let Some(carried) = &mut carried else { break (sums, gradient) };
        let differing: Vec<usize> =
            (0..layers).filter(|&l| !by_passes[l] && !sums.layers[l].agrees()).collect();
        for layer in &sums.layers {
            carried.compared += layer.held.compared;
            carried.largest = largest([carried.largest, layer.held.difference()]);
        }
        if differing.is_empty() {
            break (sums, gradient);
        }
        for l in differing {
            by_passes[l] = true;
            carried.replaced.push(Unit::at(l));
        }
    };
    let mean_credits = mean_credits(learner, &mut walk.buffers[0], &sizes, samples, rows, settings);
    let effects = training.lr.map_or_else(
        || vec![None; layers],
        |lr| effects(&exact.net, &exact.params, &gradient, samples, lr, threads),
    );
    let beside = mean_credits.into_iter().zip(effects);
    let beside = beside.map(|(mean_credit, effect)| Beside { mean_credit, effect }).collect();
    Measurements { carried, ..sums.finish(&nulls.kinds(), beside, settings) }
}
