//! A network of dense tanh blocks between states of any sizes, and audits of it.
//!
//! h_0 = E·x; f_l = tanh(W_l h_l) over all positions together; h_{l+1} = h_l + f_l between states of one kind, else f_l. The
//! head reads what is reached of h_L, as that of a transformer reads the class token.

use audit::{Measurements, Samples, measure};
use nn::{Layout, Network, Pass, Shape, State, Tape};
use protocol::{Thresholds, settings};
use rules::{Learner, Modifiers};
use std::ops::Range;
use tensor::random::{Purpose, Stream};
use tensor::{Fate, Float};

pub(crate) const INPUTS: usize = 5;
pub(crate) const CLASSES: usize = 4;
pub(crate) const N: usize = 96;

#[derive(Clone, Debug)]
pub(crate) struct Tower {
    states: Vec<State>,
    layout: Layout,
}

#[derive(Debug)]
pub(crate) struct TowerTape<T> {
    rows: usize,
    widths: Vec<usize>,
    h: Vec<Vec<T>>,
    f: Vec<Vec<T>>,
    signals: Vec<Vec<T>>,
    logits: Vec<T>,
    error: Vec<T>,
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
        let ends = [(width(0), INPUTS), (CLASSES, self.states[top].reach())];
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

impl<T: Float> Tape<T> for TowerTape<T> {
    fn rows(&self) -> usize {
        self.rows
    }
    fn place(&mut self, l: usize, h: &[T]) {
        self.rows = h.len() / self.widths[l];
        self.h[l] = h.to_vec();
    }
    fn hidden(&self, l: usize) -> &[T] {
        &self.h[l]
    }
    fn branch(&self, l: usize) -> &[T] {
        &self.f[l]
    }
    fn logits(&self) -> &[T] {
        &self.logits
    }
    fn signal_mut(&mut self, l: usize) -> (&mut [T], &[T]) {
        self.signals[l].resize(self.rows * self.widths[l], T::ZERO);
        (&mut self.signals[l], if l == 0 { &self.h[0] } else { &self.f[l - 1] })
    }
    fn error(&self) -> &[T] {
        &self.error
    }
    fn error_mut(&mut self) -> (&mut [T], &[T]) {
        self.error.resize(self.logits.len(), T::ZERO);
        (&mut self.error, &self.logits)
    }
}

impl<T: Float> Network<T> for Tower {
    type Tape = TowerTape<T>;

    fn shape(&self) -> Shape {
        let width = self.states[0].features;
        Shape { inputs: INPUTS, width, blocks: self.states.len() - 1, classes: CLASSES }
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn initial(&self, seed: u64) -> Vec<T> {
        let mut stream = Stream::new(seed, Purpose::Teacher);
        let mut draw = |(outputs, inputs): (usize, usize)| -> Vec<T> {
            let std = (inputs as f64).sqrt().recip();
            (0..outputs * inputs).map(|_| T::of(std * stream.normal())).collect()
        };
        self.matrices().into_iter().flat_map(&mut draw).collect()
    }

    fn tape(&self, _rows: usize) -> TowerTape<T> {
        let empty = |count: usize| vec![Vec::new(); count];
        let layers = self.states.len();
        let widths = self.states.iter().map(State::width).collect();
        let (h, f, signals) = (empty(layers), empty(layers - 1), empty(layers));
        TowerTape { rows: 0, widths, h, f, signals, logits: Vec::new(), error: Vec::new() }
    }

    fn skip(&self, block: usize) -> bool {
        self.states[block] == self.states[block + 1]
    }

    fn state(&self, l: usize) -> State {
        self.states[l]
    }

    fn embed(&self, params: &[T], x: &[T], rows: usize, tape: &mut TowerTape<T>) {
        tape.rows = rows;
        tape.h[0] = apply(self.matrix(params, 0), x.iter().copied());
    }

    fn block(&self, params: &[T], l: usize, tape: &mut TowerTape<T>) {
        let z = apply(self.matrix(params, l + 1), tape.h[l].iter().copied());
        tape.f[l] = z.into_iter().map(|z| T::of(z.to_f64().tanh())).collect();
        tape.h[l + 1].clone_from(&tape.f[l]);
        if Network::<T>::skip(self, l) {
            let (lower, upper) = tape.h.split_at_mut(l + 1);
            upper[0].iter_mut().zip(&lower[l]).for_each(|(f, &h)| *f += h);
        }
    }

    fn head(&self, params: &[T], tape: &mut TowerTape<T>) {
        let top = self.states.len() - 1;
        let rows = tape.h[top].chunks_exact(self.states[top].width());
        let read = rows.flat_map(|row| &row[..self.states[top].reach()]).copied();
        tape.logits = apply(self.matrix(params, top + 1), read);
    }

    fn head_vjp(&self, params: &[T], tape: &mut TowerTape<T>, below: &mut [T]) {
        let top = self.states[self.states.len() - 1];
        let at_read = apply_transposed(self.matrix(params, self.states.len()), &tape.error);
        below.fill(T::ZERO);
        let rows = below.chunks_exact_mut(top.width()).zip(at_read.chunks_exact(top.reach()));
        rows.for_each(|(row, read)| row[..top.reach()].copy_from_slice(read));
    }

    fn branch_vjp(&self, params: &[T], block: usize, tape: &mut TowerTape<T>, below: Option<&mut [T]>) {
        let Some(below) = below else { return };
        let slope = |(&s, f): (&T, &T)| T::of(s.to_f64() * (1.0 - f.to_f64() * f.to_f64()));
        let s: Vec<T> = tape.signals[block + 1].iter().zip(&tape.f[block]).map(slope).collect();
        below.copy_from_slice(&apply_transposed(self.matrix(params, block + 1), &s));
    }

    fn stretches(&self) -> Vec<(Range<usize>, f64)> {
        Vec::new()
    }

    fn gradient(&self, _: &[Pass<'_, T, TowerTape<T>>], _: T, _: Range<usize>, _: Fate<'_, T>) {
        unreachable!("an audit trains nothing");
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
    let settings = settings(&Thresholds::default(), labels.len() as u64);
    measure(learner, Samples { x: &x, labels: &labels }, 128, &settings, threads)
}
