//! One training step, the same for every rule.
//!
//! A batch is cut into chunks by the recipe alone. Each chunk runs forward and backward by itself and keeps its own
//! part of the gradient; the parts are then added in chunk order. Which thread took which chunk leaves no trace.

use crate::{AfterStep, Modifiers, Rule, Seen, Transport};
use nn::{Gradient, Network, Tape, Unit};
use std::ops::Range;
use tensor::{AdamW, Float, add_scaled, rms_normalise, softmax_cross_entropy};

/// A network, its parameters, the rule that trains them and the optimiser's moments.
///
/// ```
/// use rules::{Learner, Modifiers};
/// let net = nn::MlpSpec::resmlp(3, 8, 2, 4).build()?;
/// let rule = rules::build("dfa", nn::Network::<f32>::shape(&net), 1)?;
/// let mut learner = Learner::<f32, _>::new(net, rule, Modifiers::default(), 1);
/// let mut chunk = learner.chunk(2);
/// chunk.x.copy_from_slice(&[0.1, 0.2, 0.3, -0.3, 0.5, 0.0]);
/// chunk.labels = vec![0, 3];
/// let optimiser = tensor::AdamW { lr: 0.01, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
/// let before = learner.forward(&mut chunk).loss;
/// for t in 1..=20 {
///     learner.learn(&mut chunk, 2);
///     learner.update(t, optimiser, std::iter::once(&chunk));
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

/// Samples of one chunk and every buffer that a step on them needs.
pub struct Chunk<T: Float, N: Network<T>> {
    /// Inputs, row by row; the first `labels.len()` rows count.
    pub x: Vec<T>,
    /// Labels.
    pub labels: Vec<u8>,
    /// Where [`Learner::learn`] leaves the raw credit that it used, of the embedding, block 0 and so on, if wanted: the
    /// evidence that an audit holds against weights and feedback.
    pub used: Option<Vec<Vec<T>>>,
    pub(crate) tape: N::Tape,
    pub(crate) e: Vec<T>,
    pub(crate) losses: Vec<T>,
    pub(crate) p_last: Vec<T>,
    above: Vec<T>,
    below: Vec<T>,
    signal: Vec<T>,
    gradient: Vec<T>,
    own_gradient: Vec<T>,
}

/// Loss and hits, summed over samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Sum of the samples' losses.
    pub loss: f64,
    /// Samples whose largest logit is the label's.
    pub correct: u64,
    /// Samples.
    pub samples: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.loss += other.loss;
        self.correct += other.correct;
        self.samples += other.samples;
    }
}

impl<T: Float, N: Network<T>> Learner<T, N> {
    /// Initial parameters for the seed, moments at 0.
    pub fn new(net: N, rule: Box<dyn Rule<T, N>>, modifiers: Modifiers, seed: u64) -> Self {
        let params = net.initial(seed);
        let zeros = vec![T::ZERO; params.len()];
        let trained = modifiers.trained(net.layout(), net.shape().blocks);
        Self { net, params, rule, modifiers, first: zeros.clone(), second: zeros, trained }
    }

    /// Buffers for chunks of at most `rows` samples that learn.
    pub fn chunk(&self, rows: usize) -> Chunk<T, N> {
        Chunk {
            gradient: vec![T::ZERO; self.params.len()],
            own_gradient: vec![T::ZERO; self.rule.own_parameters()],
            ..self.viewing_chunk(rows)
        }
    }

    /// Buffers for chunks that are only looked at, without room for gradients of the parameters.
    pub fn viewing_chunk(&self, rows: usize) -> Chunk<T, N> {
        let shape = self.net.shape();
        let zeros = |n: usize| vec![T::ZERO; n];
        let wide = || zeros(rows * shape.width);
        Chunk {
            x: zeros(rows * shape.inputs),
            labels: Vec::with_capacity(rows),
            used: None,
            tape: self.net.tape(rows),
            e: zeros(rows * shape.classes),
            losses: zeros(rows),
            p_last: wide(),
            above: wide(),
            below: wide(),
            signal: wide(),
            gradient: Vec::new(),
            own_gradient: Vec::new(),
        }
    }

    /// Forward pass of a chunk: its losses, hits, and e_T.
    pub fn forward(&self, chunk: &mut Chunk<T, N>) -> Tally {
        let (rows, shape) = (chunk.labels.len(), self.net.shape());
        self.net.forward(&self.params, &chunk.x[..rows * shape.inputs], rows, &mut chunk.tape);
        let (logits, e) = (chunk.tape.logits(), &mut chunk.e[..rows * shape.classes]);
        softmax_cross_entropy(logits, &chunk.labels, e, &mut chunk.losses[..rows]);
        let hit = |(z, &label): (&[T], &u8)| largest(z) == usize::from(label);
        Tally {
            loss: chunk.losses[..rows].iter().map(|loss| loss.to_f64()).sum(),
            correct: logits.chunks_exact(shape.classes).zip(&chunk.labels).filter(|&pair| hit(pair)).count()
                as u64,
            samples: rows as u64,
        }
    }

    /// Forward and backward on one chunk of a batch of `batch` samples; leaves the chunk's part of the gradient.
    pub fn learn(&self, chunk: &mut Chunk<T, N>, batch: usize) -> Tally {
        let tally = self.forward(chunk);
        let (rows, shape) = (chunk.labels.len(), self.net.shape());
        let n = rows * shape.width;
        let scale = T::of(1.0 / batch as f64);
        let Chunk { x, labels, used, tape, e, p_last, above, below, signal, gradient, own_gradient, .. } =
            chunk;
        if let Some(used) = used {
            used.clear();
        }
        let (e, p_last) = (&e[..rows * shape.classes], &mut p_last[..n]);
        let head = Gradient { into: gradient, scale };
        self.net.head_vjp(&self.params, tape, e, Some(head), p_last);
        let exact = self.rule.transport() == Transport::Exact;
        {
            let seen = Seen { net: &self.net, params: &self.params, tape, labels, e, p_last, samples: batch };
            self.rule.top(&seen, &mut above[..n]);
            if !own_gradient.is_empty() {
                self.rule.own_gradient(&seen, own_gradient);
            }
        }
        for l in (0..shape.blocks).rev() {
            if let Some(used) = used {
                used.push(above[..n].to_vec());
            }
            let trains = self.modifiers.trains(l, shape.blocks);
            if trains || exact {
                self.shape_signal(&above[..n], &mut signal[..n]);
                if self.modifiers.penalty != 0.0 {
                    add_scaled(&mut signal[..n], T::of(2.0 * self.modifiers.penalty), tape.branch(l));
                }
                let gradient = trains.then_some(Gradient { into: gradient, scale });
                let through = exact.then_some(&mut below[..n]);
                self.net.branch_vjp(&self.params, l, tape, &signal[..n], gradient, through);
            }
            if !exact {
                let seen =
                    Seen { net: &self.net, params: &self.params, tape, labels, e, p_last, samples: batch };
                self.rule.below(l, &seen, &above[..n], &mut below[..n]);
            } else if self.net.skip(l) {
                add_scaled(&mut below[..n], T::ONE, &above[..n]);
            }
            std::mem::swap(above, below);
        }
        if let Some(used) = used {
            used.push(above[..n].to_vec());
            used.reverse();
        }
        self.shape_signal(&above[..n], &mut signal[..n]);
        let embed = Gradient { into: gradient, scale };
        self.net.embed_vjp(&x[..rows * shape.inputs], tape, &signal[..n], embed);
        tally
    }

    /// Keeps a unit at its present value, whatever the modifiers say.
    pub fn leave_out(&mut self, unit: Unit) {
        let unit = self.net.layout().unit(unit);
        let cut = |range: Range<usize>| {
            [range.start..range.end.min(unit.start), range.start.max(unit.end)..range.end]
        };
        self.trained = self.trained.drain(..).flat_map(cut).filter(|range| !range.is_empty()).collect();
    }

    /// From raw credit to the signal that a unit descends.
    fn shape_signal(&self, credit: &[T], signal: &mut [T]) {
        if self.rule.normalised() {
            rms_normalise(credit, self.net.shape().width, signal);
        } else {
            signal.copy_from_slice(credit);
        }
    }

    /// Step `t` (from 1) of the optimiser, with the gradient that the chunks of the batch have left.
    pub fn update<'a>(&mut self, t: u64, optimiser: AdamW, chunks: impl Iterator<Item = &'a Chunk<T, N>>)
    where
        N: 'a,
    {
        let (network, own): (Vec<&[T]>, Vec<&[T]>) =
            chunks.map(|chunk| (chunk.gradient.as_slice(), chunk.own_gradient.as_slice())).unzip();
        for range in &self.trained {
            let parts: Vec<&[T]> = network.iter().map(|part| &part[range.clone()]).collect();
            let range = || range.clone();
            let moments = (&mut self.first[range()], &mut self.second[range()]);
            optimiser.step(t, &mut self.params[range()], moments.0, moments.1, &parts);
        }
        let layout = self.net.layout();
        self.rule.after_step(&AfterStep { t, optimiser, layout, network: &network, own: &own });
    }
}

impl<T: Float, N: Network<T>> Chunk<T, N> {
    /// The gradient that [`Learner::learn`] has left, as long as the parameters; what a modifier keeps from
    /// training stays at 0.
    pub fn gradient(&self) -> &[T] {
        &self.gradient
    }

    /// Hidden states, branches and logits of the last forward pass.
    pub fn tape(&self) -> &N::Tape {
        &self.tape
    }

    /// e_T of the last forward pass.
    pub fn error(&self) -> &[T] {
        &self.e[..self.e.len() / self.losses.len() * self.labels.len()]
    }
}

/// Index of the first largest value.
fn largest<T: Float>(values: &[T]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}
