//! Direct Kolen–Pollack: direct feedback that learns with the head's weight until both agree (Webster, Choi and Ahn, 2021,
//! after Kolen and Pollack, 1994).
//!
//! a_l = B_l e_T for every block, and a_embed = a_0.
//!
//! The gradient of the head's weight is the mean of e_T out_ln(h_L)ᵀ over the batch. The gradient of B_l is the mean of
//! LN(h_{l+1}) e_Tᵀ. This LN has neither scale nor shift and covers all features that receive feedback. B_l uses the same
//! AdamW, with its own moments. The rule has its own weight decay, for every B_l and for the head's weight. At the last block,
//! while out_ln is the identity, both gradients are equal, and B_{L−1} minus the transposed weight shrinks by 1 − ηλ per step.

use crate::definition::Definition;
use crate::keys::DECAY;
use crate::normalise::NORMALISE;
use crate::{AfterStep, Batch, BatchView, Credit, Formula, Given, Gives, Projected, Rule, Saved, direct};
use nn::{Network, State, Tape, Tensor, Unit};
use tensor::{AdamW, Float, Mat, Right, Window, layer_norm, product};

/// Direct feedback with learned matrices.
#[derive(Clone, Debug)]
pub(crate) struct Dkp<T> {
    decay: f64,
    /// AdamW's first moments of all matrices, then the second moments, then the matrices.
    saved: Vec<Saved<T>>,
    /// The head's weight before the current step.
    head: Vec<T>,
}

impl<T: Float> Dkp<T> {
    /// Draws the matrices.
    fn new<N: Network<T>>(net: &N, decay: f64, seed: u64) -> Self {
        let drawn = direct::draw(net, seed);
        let moments = |which: &'static str| {
            let zeros = move |(l, matrix): (usize, &Saved<T>)| {
                Saved::learned(format!("rule.{which}.{l}"), &matrix.shape, vec![T::ZERO; matrix.values.len()])
            };
            drawn.iter().enumerate().map(zeros)
        };
        let learned = drawn.iter().map(|matrix| Saved { fixed: false, ..matrix.clone() });
        let saved = moments("first").chain(moments("second")).chain(learned).collect();
        Self { decay, saved, head: Vec::new() }
    }

    /// Number of matrices.
    fn count(&self) -> usize {
        self.saved.len() / 3
    }
}

/// The head's weight matrix, if it has one.
fn head<T: Float, N: Network<T>>(net: &N) -> Option<&Tensor> {
    net.layout().tensors().iter().find(|tensor| tensor.unit == Unit::Head && tensor.is_matrix())
}

/// LN of the state values that receive feedback.
fn normalised<T: Float>(states: &[T], state: State) -> Vec<T> {
    let h = state.reached_part(states);
    let reach = state.reached_features();
    let zeros = |n: usize| vec![T::ZERO; n];
    let mut xhat = zeros(h.len());
    let mut out = zeros(h.len());
    layer_norm(&h, &vec![T::ONE; reach], &zeros(reach), &mut xhat, &mut zeros(h.len() / reach), &mut out);
    xhat
}

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition {
        keys: &[DECAY, NORMALISE],
        formula: |_| Some(Formula::Direct(Projected::Error)),
        unfit: direct::unfit,
        saved_values: |_, net| 3 * direct::values(net),
        work: |_, net, _| direct::values(net) as f64,
        ..Definition::new(
            "a_l = B_l e_T,   a_embed = a_0\n\
             B_l descends the mean of LN(h_{l+1}) e_Tᵀ",
            "As dfa, but B_l learns as the head's weight does, with the same AdamW; rule.decay decays both. \
             Webster, Choi and Ahn, 2021.",
            |spec, net, _, seed| Box::new(Dkp::new(net, spec.real(DECAY.name), seed)),
        )
    }
}

impl<T: Float, N: Network<T>> Gives<T, N> for Dkp<T> {
    fn give(&self, batch: &BatchView<'_, T, N>, given: Given<'_, T>) {
        direct::project(batch.net, &self.saved[2 * self.count()..], batch.e, given.credit);
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for Dkp<T> {
    fn credit(&self) -> Credit<'_, T, N> {
        Credit::Given(self)
    }

    fn saved(&self) -> &[Saved<T>] {
        &self.saved
    }

    fn saved_mut(&mut self) -> &mut [Saved<T>] {
        &mut self.saved
    }

    fn learn(&mut self, batch: &Batch<'_, T, N>) {
        self.head.clear();
        let Some(&BatchView { net, params, samples, .. }) = batch.chunks.first() else { return };
        self.head.extend(head(net).into_iter().flat_map(|weight| &params[weight.range.clone()]));
        let classes = net.shape().classes;
        let errors: Vec<Right<'_, T>> =
            batch.chunks.iter().map(|chunk| Mat::new(chunk.e, chunk.labels.len(), classes).into()).collect();
        let step = AdamW { weight_decay: self.decay, ..batch.optimiser }.step(batch.t);
        let scale = T::of(1.0 / samples as f64);
        let count = self.count();
        let lowest = net.shape().blocks + 1 - count;
        let (moments, feedback) = self.saved.split_at_mut(2 * count);
        let (first, second) = moments.split_at_mut(count);
        for (l, ((matrix, first), second)) in feedback.iter_mut().zip(first).zip(second).enumerate() {
            let state = net.state(lowest + l);
            let reach = state.reached_features();
            let inputs: Vec<Vec<T>> =
                batch.chunks.iter().map(|chunk| normalised(chunk.tape.hidden(lowest + l), state)).collect();
            let left: Vec<Mat<'_, T>> =
                inputs.iter().map(|x| Mat::new(x, x.len() / reach, reach).t()).collect();
            let mut gradient = vec![T::ZERO; reach * classes];
            product(&left, &errors, &mut Window { out: &mut gradient, stride: classes, scale });
            step.descend(&mut matrix.values, &mut first.values, &mut second.values, &gradient);
        }
    }

    fn after_step(&mut self, step: &mut AfterStep<'_, T, N>) {
        let Some(weight) = head(step.net) else { return };
        if step.trained.iter().any(|range| range.contains(&weight.range.start)) {
            let AdamW { lr, weight_decay, .. } = step.optimiser;
            // The optimiser has applied its usual decay. The rule's additional decay also acts on the weight before that step.
            let more = T::of(lr * (self.decay - weight_decay));
            for (w, &before) in step.params[weight.range.clone()].iter_mut().zip(&self.head) {
                *w = *w - more * before;
            }
        }
    }

    /// New matrices start with new moments.
    fn redrawn(&self, net: &N, _params: &[T], seed: u64) -> Option<Box<dyn Rule<T, N>>> {
        Some(Box::new(Self::new(net, self.decay, seed)))
    }
}
