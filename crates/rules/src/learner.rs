//! One training step, the same for every rule.
//!
//! First every sample runs forward and gets its credit, chunk by chunk, a chunk a thread. Then the gradients are taken
//! over all samples, stretch by stretch of the parameters, and the optimiser moves each weight as its gradient comes. In
//! neither half does a sum depend on who computes it, so the number of threads leaves no trace.

use crate::share::{Flat, Piece, share_out};
use crate::{AfterStep, Modifiers, Rule, Seen, Transport};
use nn::{Network, Pass, Tape, Unit};
use std::ops::Range;
use tensor::{AdamW, Fate, Float, add_scaled, rms_normalise, softmax_cross_entropy};

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
    above: Vec<T>,
    below: Vec<T>,
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

    /// Buffers for chunks of at most `rows` samples.
    pub fn chunk(&self, rows: usize) -> Chunk<T, N> {
        let shape = self.net.shape();
        let zeros = |n: usize| vec![T::ZERO; n];
        let wide = || zeros(rows * shape.width);
        Chunk {
            x: zeros(rows * shape.inputs),
            labels: Vec::with_capacity(rows),
            used: None,
            tape: self.net.tape(rows),
            losses: zeros(rows),
            p_last: wide(),
            above: wide(),
            below: wide(),
            own_gradient: zeros(self.rule.own_parameters()),
        }
    }

    /// Into how many chunks a batch is best cut for so many threads. A rule that learns gathers its own gradient chunk by
    /// chunk, so that their number would show in the last digits: it gets one.
    pub fn chunks_for(&self, threads: usize) -> usize {
        if self.rule.own_parameters() > 0 { 1 } else { threads.max(1) }
    }

    /// Forward pass of a chunk: its losses, hits, and e_T.
    pub fn forward(&self, chunk: &mut Chunk<T, N>) -> Tally {
        let (rows, shape) = (chunk.labels.len(), self.net.shape());
        self.net.forward(&self.params, &chunk.x[..rows * shape.inputs], rows, &mut chunk.tape);
        let (e, logits) = chunk.tape.error_mut();
        softmax_cross_entropy(logits, &chunk.labels, e, &mut chunk.losses[..rows]);
        Tally::of(std::slice::from_ref(chunk))
    }

    /// Forward pass and credit on one chunk of a batch of `batch` samples; leaves the signal that each unit descends.
    pub fn learn(&self, chunk: &mut Chunk<T, N>, batch: usize) -> Tally {
        let tally = self.forward(chunk);
        let (rows, shape) = (chunk.labels.len(), self.net.shape());
        let n = rows * shape.width;
        let Chunk { labels, used, tape, p_last, above, below, own_gradient, .. } = chunk;
        if let Some(used) = used {
            used.clear();
        }
        let p_last = &mut p_last[..n];
        self.net.head_vjp(&self.params, tape, p_last);
        let exact = self.rule.transport() == Transport::Exact;
        let (net, params, samples) = (&self.net, &self.params[..], batch);
        {
            let seen = Seen { net, params, e: tape.error(), tape, labels, p_last, samples };
            self.rule.top(&seen, &mut above[..n]);
            if !own_gradient.is_empty() {
                self.rule.own_gradient(&seen, own_gradient);
            }
        }
        for l in (0..shape.blocks).rev() {
            if let Some(used) = used {
                used.push(above[..n].to_vec());
            }
            if exact || self.modifiers.trains(l, shape.blocks) {
                let (signal, branch) = tape.signal_mut(l + 1);
                self.shape_signal(&above[..n], signal);
                if self.modifiers.penalty != 0.0 {
                    add_scaled(signal, T::of(2.0 * self.modifiers.penalty), branch);
                }
                net.branch_vjp(params, l, tape, exact.then_some(&mut below[..n]));
            }
            if !exact {
                let seen = Seen { net, params, e: tape.error(), tape, labels, p_last, samples };
                self.rule.below(l, &seen, &above[..n], &mut below[..n]);
            } else if net.skip(l) {
                add_scaled(&mut below[..n], T::ONE, &above[..n]);
            }
            std::mem::swap(above, below);
        }
        if let Some(used) = used {
            used.push(above[..n].to_vec());
            used.reverse();
        }
        self.shape_signal(&above[..n], tape.signal_mut(0).0);
        tally
    }

    /// From raw credit to the signal that a unit descends.
    fn shape_signal(&self, credit: &[T], signal: &mut [T]) {
        if self.rule.normalised() {
            rms_normalise(credit, self.net.shape().width, signal);
        } else {
            signal.copy_from_slice(credit);
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

    /// The gradient that a batch, of which these are all chunks, has left, as long as the parameters; 0 where nothing is
    /// trained.
    pub fn gradient(&self, chunks: &[Chunk<T, N>]) -> Vec<T> {
        let (passes, scale) = passes(chunks, self.net.shape().inputs);
        let mut gradient = vec![T::ZERO; self.params.len()];
        for range in &self.trained {
            let (params, into) = (&self.params[range.clone()], &mut gradient[range.clone()]);
            self.net.gradient(&passes, scale, range.clone(), Fate::Keep { params, into });
        }
        gradient
    }

    /// Step `t` (from 1) of the optimiser along the gradient of a batch, of which these are all chunks, on so many threads.
    /// Each thread takes parameters of its own, so that their number leaves no trace.
    pub fn descend(&mut self, t: u64, optimiser: AdamW, chunks: &[Chunk<T, N>], threads: usize) {
        let (passes, scale) = passes(chunks, self.net.shape().inputs);
        let (passes, net) = (&passes[..], &self.net);
        let work = |share: Vec<Piece<'_, T>>| {
            for (range, fate) in share {
                net.gradient(passes, scale, range, fate);
            }
        };
        let flat = Flat { params: &mut self.params, first: &mut self.first, second: &mut self.second };
        let shares = share_out(net.stretches(), &self.trained, threads);
        let mut shares = flat.cut(shares, optimiser.step(t)).into_iter();
        std::thread::scope(|scope| {
            let own = shares.next();
            for share in shares {
                scope.spawn(|| work(share));
            }
            own.into_iter().for_each(work);
        });
        let own: Vec<&[T]> = chunks.iter().map(|chunk| chunk.own_gradient.as_slice()).collect();
        let layout = self.net.layout();
        self.rule.after_step(&AfterStep { t, optimiser, layout, params: &self.params, own: &own });
    }
}

/// All samples of a batch as the network's gradient sees them, and 1 / their number, for a mean.
fn passes<'a, T: Float, N: Network<T>>(
    chunks: &'a [Chunk<T, N>],
    inputs: usize,
) -> (Vec<Pass<'a, T, N::Tape>>, T) {
    let samples: usize = chunks.iter().map(|chunk| chunk.labels.len()).sum();
    let pass =
        |chunk: &'a Chunk<T, N>| Pass { x: &chunk.x[..chunk.labels.len() * inputs], tape: &chunk.tape };
    (chunks.iter().map(pass).collect(), T::of(1.0 / samples as f64))
}

impl Tally {
    /// Over all samples of the last pass of these chunks, in their order.
    pub fn of<T: Float, N: Network<T>>(chunks: &[Chunk<T, N>]) -> Self {
        let mut tally = Self::default();
        for Chunk { labels, tape, losses, .. } in chunks.iter().filter(|chunk| !chunk.labels.is_empty()) {
            let logits = tape.logits();
            let rows = logits.chunks_exact(logits.len() / labels.len());
            for ((z, &label), loss) in rows.zip(labels).zip(losses) {
                tally.loss += loss.to_f64();
                tally.correct += u64::from(largest(z) == usize::from(label));
            }
            tally.samples += labels.len() as u64;
        }
        tally
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

/// Index of the first largest value.
fn largest<T: Float>(values: &[T]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}
