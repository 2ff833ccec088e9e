//! One training step, the same for every rule.
//!
//! First every sample runs forward and gets its credit, chunk by chunk, a chunk a thread. Then the gradients are taken
//! over all samples, stretch by stretch of the parameters, and the optimiser moves each weight as its gradient comes. In
//! neither half does a sum depend on who computes it, so the number of threads leaves no trace.

mod descent;

use crate::{Error, Lesson, Modifiers, Rule, RuleSpec, Seen, Tally, Transport, build};
use nn::{Network, Tape, Unit};
use std::ops::Range;
use tensor::{Float, add_scaled, rms_normalise};

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
///     learner.descend(t, optimiser, std::slice::from_ref(&chunk), 1);
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
    /// What else is changed.
    pub modifiers: Modifiers,
    /// AdamW's first moments.
    pub first: Vec<T>,
    /// AdamW's second moments.
    pub second: Vec<T>,
    trained: Vec<Range<usize>>,
}

/// Samples of one chunk of a batch and every buffer that a step on them needs.
pub struct Chunk<T: Float, N: Network<T>> {
    /// Inputs, row by row; the first `labels.len()` rows count.
    pub x: Vec<T>,
    /// Labels.
    pub labels: Vec<u8>,
    /// Where [`Learner::learn`] leaves the raw credit that it used, of the embedding, block 0 and so on, if wanted: the
    /// evidence that an audit holds against weights and feedback.
    pub used: Option<Vec<Vec<T>>>,
    pub(crate) tape: N::Tape,
    pub(crate) losses: Vec<T>,
    pub(crate) p_last: Vec<T>,
    /// Credit of every unit, or, where it comes down by itself, of the unit at work and the one below.
    credit: Vec<Vec<T>>,
    lesson: Lesson<T>,
}

impl<T: Float, N: Network<T>> Learner<T, N> {
    /// A network at its initial parameters for the seed, and the rule drawn from the same seed.
    pub fn new(net: N, rule: &RuleSpec, modifiers: Modifiers, seed: u64) -> Result<Self, Error> {
        let params = net.initial(seed);
        let rule = build(rule, &net, &params, seed)?;
        Ok(Self::with(net, params, rule, modifiers))
    }

    /// A network with these parameters and this rule, moments at 0.
    pub fn with(net: N, params: Vec<T>, rule: Box<dyn Rule<T, N>>, modifiers: Modifiers) -> Self {
        let zeros = vec![T::ZERO; params.len()];
        let trained = modifiers.trained(net.layout(), net.shape().blocks);
        Self { net, params, rule, modifiers, first: zeros.clone(), second: zeros, trained }
    }

    /// Buffers for chunks of at most `rows` samples.
    pub fn chunk(&self, rows: usize) -> Chunk<T, N> {
        let blocks = self.net.shape().blocks;
        let zeros = |n: usize| vec![T::ZERO; n];
        let width = |l: usize| rows * self.net.state(l).width();
        let widest = (0..=blocks).map(width).max().unwrap_or(0);
        let credit = match self.rule.transport() {
            Transport::Own => (0..=blocks).map(|l| zeros(width(l))).collect(),
            _ => vec![zeros(widest), zeros(widest)],
        };
        Chunk {
            x: zeros(rows * self.net.shape().inputs),
            labels: Vec::with_capacity(rows),
            used: None,
            tape: self.net.tape(rows),
            losses: zeros(rows),
            p_last: zeros(width(blocks)),
            credit,
            lesson: Lesson { gradient: zeros(self.rule.own_parameters()), ..Lesson::default() },
        }
    }

    /// Into how many chunks a batch is best cut for so many threads. A rule that learns takes its lesson from the whole of
    /// it, and so does a network that normalises over the batch: they get one.
    pub fn chunks_for(&self, threads: usize) -> usize {
        let whole = self.rule.own_parameters() > 0 || self.net.couples_samples();
        if whole { 1 } else { threads.max(1) }
    }

    /// Forward pass of a chunk, as in use: its losses, hits, and e_T.
    pub fn forward(&self, chunk: &mut Chunk<T, N>) -> Tally {
        self.run(chunk, false)
    }

    fn run(&self, chunk: &mut Chunk<T, N>, training: bool) -> Tally {
        let (rows, shape) = (chunk.labels.len(), self.net.shape());
        chunk.tape.set_training(training);
        self.net.forward(&self.params, &chunk.x[..rows * shape.inputs], rows, &mut chunk.tape);
        self.net.judge(&mut chunk.tape, &chunk.labels, &mut chunk.losses[..rows]);
        Tally::of(std::slice::from_ref(chunk))
    }

    /// Forward pass and credit on one chunk of a batch of `batch` samples, for step `t` (from 1); leaves the signal that each
    /// unit descends.
    pub fn learn(&self, chunk: &mut Chunk<T, N>, batch: usize, t: u64) -> Tally {
        let tally = self.run(chunk, true);
        let (rows, shape) = (chunk.labels.len(), self.net.shape());
        if rows == 0 {
            return tally;
        }
        let (net, params, samples) = (&self.net, &self.params[..], batch);
        let size = |l: usize| rows * net.state(l).width();
        let Chunk { x, labels, used, tape, losses, p_last, credit, lesson } = chunk;
        if let Some(used) = used {
            used.clear();
        }
        let p_last = &mut p_last[..size(shape.blocks)];
        net.head_vjp(params, tape, p_last);
        let transport = self.rule.transport();
        let own = matches!(transport, Transport::Own);
        if own {
            (0..=shape.blocks).for_each(|l| {
                credit[l].resize(size(l), T::ZERO);
                credit[l].fill(T::ZERO);
            });
            let (x, losses) = (&x[..rows * shape.inputs], &losses[..rows]);
            let seen = Seen { net, params, x, e: tape.error(), tape, labels, losses, p_last, samples };
            lesson.t = t;
            self.rule.credit(&seen, credit, Some(lesson));
        } else {
            credit[0][..p_last.len()].copy_from_slice(p_last);
        }
        // Where credit is not all there, the two buffers take turns at the unit at work and the one below.
        let place = |l: usize| if own { l } else { (shape.blocks - l) % 2 };
        for l in (0..shape.blocks).rev() {
            let places = [place(l + 1), place(l)];
            let [upper, lower] = credit.get_disjoint_mut(places).expect("two buffers");
            let (upper, lower) = (&upper[..size(l + 1)], &mut lower[..size(l)]);
            note(used, upper);
            let trains = self.modifiers.trains(l, shape.blocks);
            match transport {
                Transport::Exact => {
                    self.local_signal(upper, l + 1, tape);
                    net.branch_vjp(params, l, tape, Some(lower));
                }
                Transport::Through(weights) => {
                    tape.signal_mut(l + 1).0.copy_from_slice(upper);
                    net.branch_vjp(weights, l, tape, Some(lower));
                }
                Transport::Own => {}
            }
            if !own && net.skip(l) {
                add_scaled(lower, T::ONE, upper);
            }
            if trains && !matches!(transport, Transport::Exact) {
                self.local_signal(upper, l + 1, tape);
                net.branch_vjp(params, l, tape, None);
            }
        }
        let lowest = &credit[place(0)][..size(0)];
        note(used, lowest);
        if let Some(used) = used {
            used.reverse();
        }
        self.local_signal(lowest, 0, tape);
        tally
    }

    /// From raw credit to the signal that the unit whose output is h_l descends.
    fn local_signal(&self, credit: &[T], l: usize, tape: &mut N::Tape) {
        let (state, (signal, branch)) = (self.net.state(l), tape.signal_mut(l));
        if !self.rule.normalised() {
            signal.copy_from_slice(credit);
        } else if self.rule.everywhere() || state.reached_features() == state.width() {
            rms_normalise(credit, state.width(), signal);
        } else {
            let (width, reach) = (state.width(), state.reached_features());
            for (credit, signal) in credit.chunks_exact(width).zip(signal.chunks_exact_mut(width)) {
                rms_normalise(&credit[..reach], reach, &mut signal[..reach]);
                let (reached, beyond) = signal.split_at_mut(reach);
                // What feedback reaches of h_0 may hold no input at all, as a class token does: the embedding learns by
                // the same credit at every position.
                match l {
                    0 => beyond.chunks_exact_mut(reach).for_each(|other| other.copy_from_slice(reached)),
                    _ => beyond.fill(T::ZERO),
                }
            }
        }
        if l > 0 && self.modifiers.penalty != 0.0 {
            add_scaled(signal, T::of(2.0 * self.modifiers.penalty), branch);
        }
    }

    /// Keeps a unit at its present value, whatever the modifiers say.
    pub fn leave_out(&mut self, unit: Unit) {
        let unit = self.net.layout().unit(unit);
        let cut = |range: Range<usize>| {
            [range.start..range.end.min(unit.start), range.start.max(unit.end)..range.end]
        };
        self.trained = self.trained.drain(..).flat_map(cut).filter(|range| !range.is_empty()).collect();
    }
}

/// Writes credit down where it is wanted.
fn note<T: Float>(used: &mut Option<Vec<Vec<T>>>, credit: &[T]) {
    if let Some(used) = used {
        used.push(credit.to_vec());
    }
}

impl<T: Float, N: Network<T>> Chunk<T, N> {
    /// Hidden states, branches and logits of the last forward pass.
    pub fn tape(&self) -> &N::Tape {
        &self.tape
    }

    /// e_T of the last forward pass.
    pub fn error(&self) -> &[T] {
        self.tape.error()
    }
}
