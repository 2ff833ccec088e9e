//! A foreign rule as a [`Rule`] of this crate.

use super::contract::{ForeignNet, ForeignRule, ForeignTensor, Seen};
use super::registry::{Foreign, SOURCE};
use crate::{AfterStep, BatchView, Credit, Error, Given, Gives, Rule, RuleSpec, Saved, Value};
use nn::{Network, Tape};
use std::sync::{Arc, Mutex, PoisonError};
use tensor::Float;

/// Prefix of its tensors in a checkpoint.
const STATE: &str = "rule.state.";

/// A foreign rule and what a checkpoint keeps of it.
struct Adapter<T> {
    rule: Box<dyn ForeignRule>,
    saved: Vec<Saved<T>>,
    /// What went wrong first, here or in a null. Credit is zero from then on.
    fault: Arc<Mutex<Option<String>>>,
}

impl Foreign {
    /// Whether a spec asks for the registered version.
    pub(crate) fn is_version_of(&self, spec: &RuleSpec) -> Result<(), Error> {
        let asked = spec.word(SOURCE);
        let message =
            || format!("the recipe asks for its version {asked}, the one at hand is {}", self.source);
        if asked == self.source {
            return Ok(());
        }
        Err(Error::Foreign { rule: spec.name.clone(), message: message() })
    }

    /// Why it cannot train a network, if so.
    pub(crate) fn unfit<T: Float, N: Network<T>>(net: &N) -> Option<&'static str> {
        (!net.classifies())
            .then_some("it sees labels and the error at the logits, which this task does not have")
    }

    /// The rule of a spec, for a network with these parameters.
    pub(crate) fn build<T: Float, N: Network<T>>(
        &self,
        spec: &RuleSpec,
        net: &N,
        params: &[T],
        seed: u64,
    ) -> Result<Box<dyn Rule<T, N>>, Error> {
        let own = |name: &str| name != SOURCE && name != crate::normalise::NORMALISE.name;
        let parameters: Vec<(&'static str, Value)> = self
            .keys
            .iter()
            .filter(|key| own(key.name))
            .map(|key| (key.name.trim_start_matches("rule."), spec.value(key.name)))
            .collect();
        let fault = |message| Error::Foreign { rule: spec.name.clone(), message };
        let rule = self.maker.make(&parameters, about(net, params), seed).map_err(fault)?;
        let mut adapter = Adapter { rule, saved: Vec::new(), fault: Arc::default() };
        adapter.take_state();
        match adapter.fault() {
            Some(message) => Err(Error::Foreign { rule: spec.name.clone(), message }),
            None => Ok(Box::new(adapter)),
        }
    }
}

impl<T: Float> Adapter<T> {
    fn fail(&self, message: String) {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(message);
    }

    fn fault(&self) -> Option<String> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn take_state(&mut self) {
        match self.rule.state() {
            Ok(state) => self.saved = state.into_iter().map(saved).collect(),
            Err(message) => self.fail(message),
        }
    }
}

impl<T: Float, N: Network<T>> Gives<T, N> for Adapter<T> {
    fn give(&self, batch: &BatchView<'_, T, N>, given: Given<'_, T>) {
        if self.fault().is_some() {
            return;
        }
        let rows = batch.labels.len();
        let step = given.gradient.map_or(0, |gradient| gradient.t);
        let credit = match self.rule.credit(seen(batch, step)) {
            Ok(credit) => credit,
            Err(message) => return self.fail(message),
        };
        for (l, (into, credit)) in given.credit.iter_mut().zip(&credit).enumerate() {
            let state = batch.net.state(l);
            let reach = state.reached_features();
            if let Some(at) = credit.iter().position(|a| !a.is_finite()) {
                let unit = record::Unit::at(l);
                let word = if credit[at].is_nan() { "NaN" } else { "infinite" };
                return self.fail(format!(
                    "{unit}: its credit, of shape ({rows}, {reach}), is {word} at ({}, {})",
                    at / reach,
                    at % reach
                ));
            }
            for (into, credit) in into.chunks_exact_mut(state.width()).zip(credit.chunks_exact(reach)) {
                into.iter_mut().zip(credit).for_each(|(into, &a)| *into = T::of(a.into()));
            }
        }
    }

    fn whole_batch(&self) -> bool {
        true
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for Adapter<T> {
    fn credit(&self) -> Credit<'_, T, N> {
        Credit::Given(self)
    }

    fn saved(&self) -> &[Saved<T>] {
        &self.saved
    }

    fn saved_mut(&mut self) -> &mut [Saved<T>] {
        &mut self.saved
    }

    fn refresh(&mut self, _net: &N, _params: &[T]) {
        let state = self.saved.iter().map(|saved| ForeignTensor {
            name: saved.name.trim_start_matches(STATE).to_owned(),
            shape: saved.shape.clone(),
            values: single(&saved.values),
        });
        if let Err(message) = self.rule.restore(state.collect()) {
            self.fail(message);
        }
    }

    /// A fault of the fresh rule is a fault of this one.
    fn redrawn(&self, _net: &N, _params: &[T], seed: u64) -> Option<Box<dyn Rule<T, N>>> {
        match self.rule.redrawn(seed) {
            Ok(rule) => {
                Some(Box::new(Self { rule: rule?, saved: Vec::new(), fault: Arc::clone(&self.fault) }))
            }
            Err(message) => {
                self.fail(message);
                None
            }
        }
    }

    fn after_step(&mut self, step: &mut AfterStep<'_, T, N>) {
        if self.fault().is_some() {
            return;
        }
        if self.rule.follows_steps() {
            let weights = weights(step.net, step.params);
            if let Err(message) = self.rule.after_step(step.t, step.optimiser.lr, weights) {
                return self.fail(message);
            }
        }
        self.take_state();
    }

    fn fault(&self) -> Option<String> {
        Self::fault(self)
    }
}

fn saved<T: Float>(tensor: ForeignTensor) -> Saved<T> {
    let values = tensor.values.iter().map(|&x| T::of(x.into())).collect();
    Saved::learned(format!("{STATE}{}", tensor.name), &tensor.shape, values)
}

fn single<T: Float>(values: &[T]) -> Vec<f32> {
    values.iter().map(|x| x.to_f64() as f32).collect()
}

fn about<T: Float, N: Network<T>>(net: &N, params: &[T]) -> ForeignNet {
    let shape = net.shape();
    let states = (0..=shape.blocks).map(|l| net.state(l).reached_features()).collect();
    ForeignNet { inputs: shape.inputs, classes: shape.classes, states, weights: weights(net, params) }
}

fn weights<T: Float, N: Network<T>>(net: &N, params: &[T]) -> Vec<ForeignTensor> {
    let tensors = net.layout().tensors().iter().map(|tensor| ForeignTensor {
        name: tensor.name.clone(),
        shape: tensor.shape.clone(),
        values: single(&tensor.to_torch(params)),
    });
    tensors.collect()
}

fn seen<T: Float, N: Network<T>>(batch: &BatchView<'_, T, N>, step: u64) -> Seen {
    let rows = batch.labels.len();
    let blocks = batch.net.shape().blocks;
    let part = |l: usize, values: &[T]| {
        let state = batch.net.state(l);
        single(&state.reached_part(&values[..rows * state.width()]))
    };
    Seen {
        step,
        x: single(batch.x),
        h: (0..=blocks).map(|l| part(l, batch.tape.hidden(l))).collect(),
        logits: single(batch.tape.logits()),
        e: single(batch.e),
        p_last: part(blocks, batch.p_last),
        labels: batch.labels.to_vec(),
    }
}
