//! The first half of a step: forward pass, credit, and the signal for each unit's update.

use super::Chunk;
use crate::transport::{carry, through_block};
use crate::{Credit, Error, Given, Gives, Modifiers, Normalise, Rule, RuleSpec, Tally, build};
use nn::{Network, Tape, Unit};
use std::ops::Range;
use tensor::{Float, add_scaled};

/// A network, its parameters, the rule that trains them and the optimiser's moments.
///
/// ```
/// use rules::{Learner, Modifiers};
/// let net = nn::MlpSpec::resmlp(3, 8, 2, 4).build()?;
/// let mut learner = Learner::<f32, _>::new(net, &"dfa".into(), Modifiers::default(), 1)?;
/// let mut chunk = learner.chunk(2);
/// chunk.x.copy_from_slice(&[0.1, 0.2, 0.3, -0.3, 0.5, 0.0]);
/// chunk.labels = vec![0, 3];
/// let optimiser = tensor::AdamW { lr: 0.01, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
/// let before = learner.forward(&mut chunk).loss;
/// for t in 1..=20 {
///     learner.learn(&mut chunk, 2, t);
///     learner.descend(t, optimiser, std::slice::from_ref(&chunk), 1).expect("a finite gradient");
/// }
/// assert!(learner.forward(&mut chunk).loss < before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Learner<T: Float, N: Network<T>> {
    /// The network.
    pub net: N,
    /// Its parameters.
    pub params: Vec<T>,
    /// The rule.
    pub rule: Box<dyn Rule<T, N>>,
    /// Which blocks train, the penalty, and other changes.
    pub modifiers: Modifiers,
    /// What credit is divided by.
    pub normalise: Normalise,
    /// AdamW's first moments.
    pub first: Vec<T>,
    /// AdamW's second moments.
    pub second: Vec<T>,
    pub(super) trained: Vec<Range<usize>>,
    /// For the gradient of a clipped unit, one buffer per thread.
    pub(super) scratch: Vec<Vec<T>>,
}

impl<T: Float, N: Network<T>> Learner<T, N> {
    /// A network at its initial parameters for the seed, and the rule drawn from the same seed.
    pub fn new(net: N, rule: &RuleSpec, modifiers: Modifiers, seed: u64) -> Result<Self, Error> {
        let params = net.initial(seed);
        let built = build(rule, &net, &params, seed)?;
        Ok(Self::with(net, params, built, Normalise::of(rule), modifiers))
    }

    /// A network with these parameters and this rule, moments at 0.
    pub fn with(
        net: N,
        params: Vec<T>,
        rule: Box<dyn Rule<T, N>>,
        normalise: Normalise,
        modifiers: Modifiers,
    ) -> Self {
        let zeros = vec![T::ZERO; params.len()];
        let trained = modifiers.trained(net.layout(), net.shape().blocks);
        let scratch = Vec::new();
        Self {
            net,
            params,
            rule,
            modifiers,
            normalise,
            first: zeros.clone(),
            second: zeros,
            trained,
            scratch,
        }
    }

    /// Forward pass of a chunk in evaluation mode: its losses, hits, and e_T.
    pub fn forward(&self, chunk: &mut Chunk<T, N>) -> Tally {
        self.run(chunk, false);
        Tally::of(std::slice::from_ref(chunk))
    }

    fn run(&self, chunk: &mut Chunk<T, N>, training: bool) {
        let rows = chunk.labels.len();
        let inputs = self.net.shape().inputs;
        chunk.tape.set_training(training);
        self.net.forward(&self.params, &chunk.x[..rows * inputs], rows, &mut chunk.tape);
        self.net.loss(&mut chunk.tape, &chunk.labels, &mut chunk.losses[..rows]);
    }

    /// Forward pass and credit on one chunk of a batch of `batch` samples, for step `t` (counted from 1). Stores the signal for
    /// each unit's update.
    pub fn learn(&self, chunk: &mut Chunk<T, N>, batch: usize, t: u64) {
        self.run(chunk, true);
        if chunk.labels.is_empty() {
            return;
        }
        if let Some(used) = &mut chunk.used {
            used.clear();
        }
        let top = self.size(chunk, self.net.shape().blocks);
        self.net.head_vjp(&self.params, &mut chunk.tape, &mut chunk.p_last[..top]);
        match self.rule.credit() {
            Credit::Exact if self.normalise == Normalise::None => self.learn_carried(chunk, None),
            // What is normalised for one unit is not what comes down to the next.
            Credit::Exact => self.learn_carried(chunk, Some(&self.params)),
            Credit::Through(weights) => self.learn_carried(chunk, Some(weights)),
            Credit::Given(rule) => self.learn_given(chunk, rule, batch, t),
        }
        if let Some(used) = &mut chunk.used {
            used.reverse();
        }
    }

    /// Number of values of h_l in a chunk.
    pub(super) fn size(&self, chunk: &Chunk<T, N>, l: usize) -> usize {
        chunk.labels.len() * self.net.state(l).width()
    }

    /// Credit that starts as p_L and is carried down block by block, through these weights or the network's own. Two buffers
    /// alternate between the current unit and the one below.
    fn learn_carried(&self, chunk: &mut Chunk<T, N>, weights: Option<&[T]>) {
        let blocks = self.net.shape().blocks;
        let top = self.size(chunk, blocks);
        let [mut upper, mut lower] = [0, 1].map(|buffer| std::mem::take(&mut chunk.credit[buffer]));
        upper[..top].copy_from_slice(&chunk.p_last[..top]);
        for l in (0..blocks).rev() {
            let above = &upper[..self.size(chunk, l + 1)];
            let below = &mut lower[..self.size(chunk, l)];
            note(&mut chunk.used, above);
            match weights {
                None => {
                    self.local_signal(above, l + 1, &mut chunk.tape);
                    through_block(&self.net, &self.params, l, &mut chunk.tape, above, below);
                }
                Some(weights) => {
                    carry(&self.net, weights, l, &mut chunk.tape, above, below);
                    self.hand_over(above, l, &mut chunk.tape);
                }
            }
            std::mem::swap(&mut upper, &mut lower);
        }
        let lowest = &upper[..self.size(chunk, 0)];
        note(&mut chunk.used, lowest);
        self.local_signal(lowest, 0, &mut chunk.tape);
        chunk.credit = vec![upper, lower];
    }

    /// Credit that the rule computes for all units at once.
    fn learn_given(&self, chunk: &mut Chunk<T, N>, rule: &dyn Gives<T, N>, batch: usize, t: u64) {
        let blocks = self.net.shape().blocks;
        let mut credit = std::mem::take(&mut chunk.credit);
        let mut gradient = std::mem::take(&mut chunk.gradient);
        for (l, credit) in credit.iter_mut().enumerate() {
            credit.resize(self.size(chunk, l), T::ZERO);
            credit.fill(T::ZERO);
        }
        gradient.t = t;
        let p_last = &chunk.p_last[..self.size(chunk, blocks)];
        let view = chunk.view(&self.net, &self.params, p_last, batch);
        rule.give(&view, Given { credit: &mut credit, gradient: Some(&mut gradient), report: None });
        for l in (0..blocks).rev() {
            note(&mut chunk.used, &credit[l + 1]);
            self.hand_over(&credit[l + 1], l, &mut chunk.tape);
        }
        note(&mut chunk.used, &credit[0]);
        self.local_signal(&credit[0], 0, &mut chunk.tape);
        chunk.credit = credit;
        chunk.gradient = gradient;
    }

    /// Stores what the gradient of block l needs, if the block trains.
    fn hand_over(&self, credit: &[T], l: usize, tape: &mut N::Tape) {
        if self.modifiers.trains(l, self.net.shape().blocks) {
            self.local_signal(credit, l + 1, tape);
            self.net.branch_vjp(&self.params, l, tape, None);
        }
    }

    /// From raw credit to the update signal of the unit whose output is h_l.
    fn local_signal(&self, credit: &[T], l: usize, tape: &mut N::Tape) {
        self.unpenalised(credit, l, tape);
        if l > 0 && self.modifiers.penalty != 0.0 {
            let (signal, branch) = tape.signal_mut(l);
            add_scaled(signal, T::of(2.0 * self.modifiers.penalty), branch);
        }
    }

    /// The same without the penalty.
    pub(super) fn unpenalised(&self, credit: &[T], l: usize, tape: &mut N::Tape) {
        let state = self.net.state(l);
        let width = state.width();
        let reach = if self.rule.credit().everywhere() { width } else { state.reached_features() };
        let signal = tape.signal_mut(l).0;
        self.normalise.apply(credit, state, reach, signal);
        if reach < width {
            for signal in signal.chunks_exact_mut(width) {
                let (reached, beyond) = signal.split_at_mut(reach);
                // The positions of h_0 that receive feedback may hold no input at all, as with a class token. So the embedding
                // learns from the same credit at every position.
                match l {
                    0 => beyond.chunks_exact_mut(reach).for_each(|other| other.copy_from_slice(reached)),
                    _ => beyond.fill(T::ZERO),
                }
            }
        }
    }

    /// Freezes a unit at its current value, whatever the modifiers say.
    pub fn leave_out(&mut self, unit: Unit) {
        let unit = self.net.layout().unit(unit);
        let cut = |range: Range<usize>| {
            [range.start..range.end.min(unit.start), range.start.max(unit.end)..range.end]
        };
        self.trained = self.trained.drain(..).flat_map(cut).filter(|range| !range.is_empty()).collect();
    }
}

/// Stores credit if it was asked for.
fn note<T: Float>(used: &mut Option<Vec<Vec<T>>>, credit: &[T]) {
    if let Some(used) = used {
        used.push(credit.to_vec());
    }
}
