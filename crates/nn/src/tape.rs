//! What a forward pass stores for the rules, and what a rule stores for the gradients.

use crate::Architecture;
use tensor::Float;

/// States, branches and logits of some samples, and the signal that each unit descends: what every network keeps. Buffers
/// start with the rows of the last pass, and may be longer.
#[derive(Clone, Debug)]
pub struct States<T> {
    /// Samples of the last pass.
    pub rows: usize,
    /// Whether the next passes are for training.
    pub training: bool,
    /// Hidden states h_0 … h_L.
    pub h: Vec<Vec<T>>,
    /// Branches f_0 … f_{L−1}.
    pub f: Vec<Vec<T>>,
    /// Logits.
    pub logits: Vec<T>,
    /// The signal at the output of each unit: of the embedding, then of each branch.
    pub signals: Vec<Vec<T>>,
    /// The signal at the logits.
    pub error: Vec<T>,
    widths: Vec<usize>,
    classes: usize,
}

impl<T: Float> States<T> {
    /// Buffers for at most `rows` samples.
    pub fn new(net: &impl Architecture, rows: usize) -> Self {
        let shape = net.shape();
        let widths: Vec<usize> = (0..=shape.blocks).map(|l| net.state(l).width()).collect();
        let buffers = |widths: &[usize]| widths.iter().map(|width| vec![T::ZERO; rows * width]).collect();
        Self {
            rows,
            training: false,
            h: buffers(&widths),
            f: buffers(&widths[1..]),
            logits: vec![T::ZERO; rows * shape.classes],
            signals: buffers(&widths),
            error: vec![T::ZERO; rows * shape.classes],
            widths,
            classes: shape.classes,
        }
    }

    /// Values of h_l of all samples.
    pub fn values(&self, l: usize) -> usize {
        self.rows * self.widths[l]
    }

    /// Logits of all samples.
    fn outputs(&self) -> usize {
        self.rows * self.classes
    }
}

/// The states that a network's passes leave, for code that works with any network.
pub trait Tape<T: Float>: Send + Sync {
    /// The states.
    fn states(&self) -> &States<T>;

    /// The states.
    fn states_mut(&mut self) -> &mut States<T>;

    /// Number of samples in the last forward pass.
    fn rows(&self) -> usize {
        self.states().rows
    }

    /// Replaces h_l, and sets the number of samples accordingly.
    fn place(&mut self, l: usize, h: &[T]) {
        let states = self.states_mut();
        states.rows = h.len() / states.widths[l];
        states.h[l][..h.len()].copy_from_slice(h);
    }

    /// Whether the next passes are for training. This matters only to networks that normalise over the batch.
    fn set_training(&mut self, training: bool) {
        self.states_mut().training = training;
    }

    /// Hidden state h_l, l = 0…L.
    fn hidden(&self, l: usize) -> &[T] {
        let states = self.states();
        &states.h[l][..states.values(l)]
    }

    /// Branch f_l(h_l), l = 0…L−1.
    fn branch(&self, l: usize) -> &[T] {
        let states = self.states();
        &states.f[l][..states.values(l + 1)]
    }

    /// Logits.
    fn logits(&self) -> &[T] {
        let states = self.states();
        &states.logits[..states.outputs()]
    }

    /// The signal that unit l descends (0 is the embedding, l+1 block l), to be written, and the unit's output: h_0, or the
    /// branch.
    fn signal_mut(&mut self, l: usize) -> (&mut [T], &[T]) {
        let states = self.states_mut();
        let n = states.values(l);
        let output = if l == 0 { &states.h[0] } else { &states.f[l - 1] };
        (&mut states.signals[l][..n], &output[..n])
    }

    /// The signal at the logits.
    fn error(&self) -> &[T] {
        let states = self.states();
        &states.error[..states.outputs()]
    }

    /// The signal at the logits, to be written, and the logits.
    fn error_mut(&mut self) -> (&mut [T], &[T]) {
        let states = self.states_mut();
        let n = states.outputs();
        (&mut states.error[..n], &states.logits[..n])
    }
}

/// The tape of one kind of network.
#[derive(Clone, Debug)]
pub struct OwnTape<T, K> {
    /// What every network keeps.
    pub states: States<T>,
    /// What only this kind keeps.
    pub own: K,
}

impl<T: Float, K: Send + Sync> Tape<T> for OwnTape<T, K> {
    fn states(&self) -> &States<T> {
        &self.states
    }

    fn states_mut(&mut self) -> &mut States<T> {
        &mut self.states
    }
}

/// Some samples of a batch: their inputs and their tape.
#[derive(Debug)]
pub struct Pass<'a, T, K> {
    /// Inputs, row by row.
    pub x: &'a [T],
    /// The tape.
    pub tape: &'a K,
}
