//! The parameters of a bridge net, its optimiser's moments, and their place in the checkpoint.

use crate::Saved;
use tensor::{AdamW, Float};

/// Parameters, moments and any other state of the rule, each saved as a flat tensor named `rule.…`.
#[derive(Clone, Debug)]
pub(crate) struct Own<T> {
    pub(crate) saved: Vec<Saved<T>>,
}

impl<T: Float> Own<T> {
    pub(crate) fn new(params: Vec<T>) -> Self {
        let zeros = vec![T::ZERO; params.len()];
        let flat =
            |name: &str, values: Vec<T>| Saved::learned(format!("rule.{name}"), &[values.len()], values);
        Self { saved: vec![flat("net", params), flat("first", zeros.clone()), flat("second", zeros)] }
    }

    pub(crate) fn params(&self) -> &[T] {
        &self.saved[0].values
    }

    /// Optimiser step `t` along a gradient.
    pub(crate) fn descend(&mut self, t: u64, optimiser: AdamW, gradient: &[T]) {
        let [params, first, second, ..] = &mut self.saved[..] else { unreachable!("at least three tensors") };
        optimiser.step(t).descend(&mut params.values, &mut first.values, &mut second.values, gradient);
    }
}
