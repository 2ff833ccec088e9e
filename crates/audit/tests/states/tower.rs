//! A network of dense tanh blocks between states of any sizes, and audits of it.
//!
//! h_0 = E·x; f_l = tanh(W_l h_l) over all positions together; h_{l+1} = h_l + f_l between states of one kind, else f_l. The
//! head reads what is reached of h_L, as that of a transformer reads the class token.

use audit::{Measurements, Samples, Training, measure};
use nn::{Architecture, Layout, Network, OwnTape, Pass, Shape, State, States, Tape};
use protocol::{THRESHOLDS, settings};
use rules::{Learner, Modifiers};
use std::ops::Range;
use tensor::random::{Purpose, Stream};
use tensor::{Float, GradientSink};

pub(crate) const INPUTS: usize = 5;
pub(crate) const CLASSES: usize = 4;
pub(crate) const N: usize = 96;

#[derive(Clone, Debug)]
pub(crate) struct Tower {
    states: Vec<State>,
    layout: Layout,
}

impl Tower {
    pub(crate) fn new(states: &[State]) -> Self {
        Self { states: states.to_vec(), layout: Layout::default() }
    }

    /// (outputs, inputs) of E, W_0 … and the head.
    fn matrices(&self) -> Vec<(usize, usize)> {
        let width = |l: usize| self.states[l].width();
        let top = self.states.len() - 1;
        let blocks = (0..top).map(|l| (width(l + 1), width(l)));
        let ends = [(width(0), INPUTS), (CLASSES, self.states[top].reached_features())];
        ends[..1].iter().copied().chain(blocks).chain([ends[1]]).collect()
    }

    /// The matrix of that index, with its inputs.
    fn matrix<'a, T>(&self, params: &'a [T], index: usize) -> (&'a [T], usize) {
        let all = self.matrices();
        let start: usize = all[..index].iter().map(|(outputs, inputs)| outputs * inputs).sum();
        (&params[start..start + all[index].0 * all[index].1], all[index].1)
    }
}

/// M·x of each row.
fn apply<T: Float>((matrix, inputs): (&[T], usize), x: impl Iterator<Item = T>) -> Vec<T> {
    let x: Vec<T> = x.collect();
    let dot = |row: &[T], x: &[T]| T::of(row.iter().zip(x).map(|(m, x)| m.to_f64() * x.to_f64()).sum());
    x.chunks_exact(inputs).flat_map(|x| matrix.chunks_exact(inputs).map(move |row| dot(row, x))).collect()
}

/// Mᵀ·s of each row.
fn apply_transposed<T: Float>((matrix, inputs): (&[T], usize), s: &[T]) -> Vec<T> {
    let outputs = matrix.len() / inputs;
    let sum = |s: &[T], i: usize| {
        T::of((0..outputs).map(|o| matrix[o * inputs + i].to_f64() * s[o].to_f64()).sum())
    };
    s.chunks_exact(outputs).flat_map(|s| (0..inputs).map(move |i| sum(s, i))).collect()
}

impl Architecture for Tower {
    fn shape(&self) -> Shape {
        let width = self.states[0].features;
        Shape { inputs: INPUTS, width, blocks: self.states.len() - 1, classes: CLASSES }
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn skip(&self, block: usize) -> bool {
        self.states[block] == self.states[block + 1]
    }

    fn state(&self, l: usize) -> State {
        self.states[l]
    }

    fn parameter_ranges(&self) -> Vec<(Range<usize>, f64)> {
        Vec::new()
    }
}

impl<T: Float> Network<T> for Tower {
    type Tape = OwnTape<T, ()>;

    fn initial(&self, seed: u64) -> Vec<T> {
        let mut stream = Stream::new(seed, Purpose::Teacher);
        let mut draw = |(outputs, inputs): (usize, usize)| -> Vec<T> {
            let std = (inputs as f64).sqrt().recip();
            (0..outputs * inputs).map(|_| T::of(std * stream.normal())).collect()
        };
        self.matrices().into_iter().flat_map(&mut draw).collect()
    }

    fn tape(&self, rows: usize) -> Self::Tape {
        OwnTape { states: States::new(self, rows), own: () }
    }

    fn embed(&self, params: &[T], x: &[T], rows: usize, tape: &mut Self::Tape) {
        tape.states.rows = rows;
        let h = apply(self.matrix(params, 0), x.iter().copied());
        tape.states.h[0][..h.len()].copy_from_slice(&h);
    }

    fn block(&self, params: &[T], l: usize, tape: &mut Self::Tape) {
        let z = apply(self.matrix(params, l + 1), tape.hidden(l).iter().copied());
        let f: Vec<T> = z.into_iter().map(|z| T::of(z.to_f64().tanh())).collect();
        let (lower, upper) = tape.states.h.split_at_mut(l + 1);
        let next = &mut upper[0][..f.len()];
        next.copy_from_slice(&f);
        if self.skip(l) {
            next.iter_mut().zip(&lower[l]).for_each(|(f, &h)| *f += h);
        }
        tape.states.f[l][..f.len()].copy_from_slice(&f);
    }

    fn head(&self, params: &[T], tape: &mut Self::Tape) {
        let top = self.states.len() - 1;
        let read = self.states[top].reached_part(tape.hidden(top)).into_owned();
        let logits = apply(self.matrix(params, top + 1), read.into_iter());
        tape.states.logits[..logits.len()].copy_from_slice(&logits);
    }

    fn head_vjp(&self, params: &[T], tape: &mut Self::Tape, below: &mut [T]) {
        let top = self.states[self.states.len() - 1];
        let at_read = apply_transposed(self.matrix(params, self.states.len()), tape.error());
        below.fill(T::ZERO);
        let rows = below.chunks_exact_mut(top.width()).zip(at_read.chunks_exact(top.reached_features()));
        rows.for_each(|(row, read)| row[..top.reached_features()].copy_from_slice(read));
    }

    fn branch_vjp(&self, params: &[T], block: usize, tape: &mut Self::Tape, below: Option<&mut [T]>) {
        let Some(below) = below else { return };
        let slope = |(&s, f): (&T, &T)| T::of(s.to_f64() * (1.0 - f.to_f64() * f.to_f64()));
        let s: Vec<T> = tape.states.signals[block + 1].iter().zip(tape.branch(block)).map(slope).collect();
        below.copy_from_slice(&apply_transposed(self.matrix(params, block + 1), &s));
    }

    /// The steps of training are of no concern here, so none is taken.
    fn gradient(&self, _: &[Pass<'_, T, Self::Tape>], _: T, _: Range<usize>, sink: GradientSink<'_, T>) {
        let GradientSink::Keep { into, .. } = sink else { unreachable!("an audit trains nothing") };
        into.fill(T::ZERO);
    }
}

/// Inputs and labels at random.
pub(crate) fn data() -> (Vec<f32>, Vec<u8>) {
    let mut stream = Stream::new(7, Purpose::Teacher);
    let x = (0..N * INPUTS).map(|_| 2.0 * stream.normal() as f32).collect();
    (x, (0..N).map(|_| stream.below(CLASSES as u64) as u8).collect())
}

/// A learner with a rule at its start.
pub(crate) fn learner<N: Network<f32>>(net: N, rule: &str) -> Learner<f32, N> {
    Learner::new(net, &rule.into(), Modifiers::default(), 3).expect("a rule that fits")
}

/// A whole audit on these data, as training with batches of 128 gives credit.
pub(crate) fn audit<N: Network<f32> + Network<f64> + Clone + 'static>(
    learner: &Learner<f32, N>,
    threads: usize,
) -> Measurements {
    let (x, labels) = data();
    let settings = settings(&THRESHOLDS, labels.len() as u64);
    measure(
        learner,
        Samples { x: &x, labels: &labels },
        Training { batch: 128, lr: Some(1e-3) },
        &settings,
        threads,
    )
}
