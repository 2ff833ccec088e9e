//! Evidence beyond the measurements of crate `audit`, which needs the run's own files: drift, probes, consistency.

use super::subject::Loaded;
use crate::RunSpec;
use crate::train::{feedback_hash, first_samples};
use audit::consistency::{self, PlainNetwork, PlainTensor, Recorded, UnitSteps};
use audit::{Samples, drift, probe};
use data::Dataset;
use nn::{Activation, Architecture, MlpSpec, Net, Network, Tape, Unit};
use record::Run;
use record::audit::{Consistency, Finding, State, UnitAudit};
use rules::Learner;
use std::collections::BTreeMap;

/// Number of training samples for fitting the probes.
const FITTED: usize = 5000;

/// The unit whose credit acts at h_index.
fn unit(index: usize) -> Unit {
    index.checked_sub(1).map_or(Unit::Embed, Unit::Block)
}

/// How far each unit's parameters have moved.
pub(super) fn add_drift(loaded: &Loaded, units: &mut [UnitAudit]) {
    let start: Vec<f32> = loaded.learner.net.initial(loaded.spec.seed);
    for (index, found) in units.iter_mut().enumerate() {
        let range = || loaded.learner.net.layout().unit(unit(index));
        found.drift = drift(&start[range()], &loaded.learner.params[range()]);
    }
}

/// Accuracy of a linear classifier on each hidden state: fitted to unaugmented training samples, tested on `samples`.
pub(super) fn add_probes(loaded: &Loaded, data: &Dataset, samples: Samples<'_>, states: &mut [State]) {
    let n = FITTED.min(data.train.len());
    let mut x = vec![0.0; n * data.inputs];
    let mut labels = vec![0; n];
    data.train.fill(0, &mut x, &mut labels);
    let fit = hidden(&loaded.learner, &x, n);
    let test = hidden(&loaded.learner, samples.x, samples.labels.len());
    for (l, state) in states.iter_mut().enumerate() {
        let width = loaded.learner.net.state(l).reached_features();
        state.probe = probe((&fit[l], &labels), (&test[l], samples.labels), width, data.classes);
    }
}

/// The values of h_0 … h_L that receive feedback, for all samples.
fn hidden(learner: &Learner<f32, Net>, x: &[f32], rows: usize) -> Vec<Vec<f64>> {
    let shape = learner.net.shape();
    let at_once = crate::train::rows(&learner.net).min(rows);
    let mut tape = Network::<f32>::tape(&learner.net, at_once);
    let mut states = vec![Vec::new(); shape.blocks + 1];
    for x in x.chunks(at_once * shape.inputs) {
        learner.net.forward(&learner.params, x, x.len() / shape.inputs, &mut tape);
        for (l, states) in states.iter_mut().enumerate() {
            let state = learner.net.state(l);
            states.extend(state.reached_part(tape.hidden(l)).iter().map(|&h| f64::from(h)));
        }
    }
    states
}

/// Whether the run's credit, feedback and updates match its recipe.
pub(super) fn consistency(run: &Run, loaded: &Loaded, data: &Dataset) -> Consistency {
    let spec = &loaded.spec;
    let learner = &loaded.learner;
    let width = |l: usize| learner.net.state(l).width();
    let rows = loaded.credit[0].len() / width(0);
    let unfit = |(l, credit): (usize, &Vec<f32>)| credit.len() != rows * width(l);
    if rows > data.test.len() || loaded.credit.iter().enumerate().any(unfit) {
        return Consistency::NotAssessed { why: "the recorded credit does not fit the test set".to_owned() };
    }
    let (x, labels) = first_samples(data, rows);
    let net = plain(spec);
    let tensors = tensors(learner);
    let found = consistency::compare(&Recorded {
        rule: &spec.rule.name,
        formula: spec.rule.formula(),
        penalty: spec.modifiers.penalty,
        net,
        tensors: &tensors,
        x: &x,
        labels: &labels,
        batch: spec.batch,
        credit: &loaded.credit,
    });
    let mut more: Vec<Finding> = feedback(run, loaded).into_iter().collect();
    more.extend(never_stepped(loaded));
    consistency::together(found, more)
}

/// The network in the form that the audit's recomputation uses.
fn plain(spec: &RunSpec) -> PlainNetwork {
    let Net::Mlp(mlp) = &spec.net else { return PlainNetwork::Other { name: spec.net_name.clone() } };
    let &MlpSpec { blocks, skip, out_ln, activation, .. } = mlp.spec();
    match activation {
        Activation::Gelu => PlainNetwork::Resmlp { blocks, out_ln, skip },
        Activation::Blend(alpha) => PlainNetwork::Student { blocks, alpha, skip },
    }
}

/// Weights and feedback under PyTorch's names and shapes.
fn tensors(learner: &Learner<f32, Net>) -> BTreeMap<String, PlainTensor> {
    let wide = |values: &[f32]| values.iter().map(|&x| f64::from(x)).collect();
    let weights = learner.net.layout().tensors().iter().map(|tensor| {
        let values = wide(&tensor.to_torch(&learner.params));
        (tensor.name.clone(), PlainTensor { shape: tensor.shape.clone(), values })
    });
    let own = learner.rule.saved().iter().map(|saved| {
        (saved.name.clone(), PlainTensor { shape: saved.shape.clone(), values: wide(&saved.values) })
    });
    weights.chain(own).collect()
}

/// Whether the feedback was the same in every epoch and in the checkpoint, and matches what the seed draws.
fn feedback(run: &Run, loaded: &Loaded) -> Option<Finding> {
    let saved = feedback_hash(loaded.learner.rule.saved())?;
    let drawn = loaded.spec.learner().ok()?;
    let of_seed = feedback_hash(drawn.rule.saved())?;
    let epochs: Vec<(u64, String)> =
        run.epochs.iter().filter_map(|epoch| Some((epoch.epoch, epoch.feedback.clone()?))).collect();
    consistency::feedback_finding(&epochs, &saved, &of_seed)
}

/// Units that the recipe trains but whose parameters have not moved.
fn never_stepped(loaded: &Loaded) -> Vec<Finding> {
    let learner = &loaded.learner;
    let spec = &loaded.spec;
    let stepped = loaded.checkpoint.position().t > 0 && spec.optimiser.lr > 0.0;
    let start: Vec<f32> = learner.net.initial(spec.seed);
    let blocks = learner.net.shape().blocks;
    let units = (0..=blocks).map(|index| {
        let range = || learner.net.layout().unit(unit(index));
        let trained =
            !range().is_empty() && index.checked_sub(1).is_none_or(|l| spec.modifiers.trains(l, blocks));
        let unchanged = start[range()] == learner.params[range()];
        UnitSteps { unit: record::Unit::at(index), trained, stepped, unchanged }
    });
    consistency::never_stepped(&units.collect::<Vec<_>>())
}
