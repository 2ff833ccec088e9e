//! The system as a [`Network`]: forward, costate, nothing to train.

use super::Lq;
use super::difference::LqDifference;
use crate::{Architecture, ForwardDifference, Layout, Network, OwnTape, Pass, Shape, State, States, Tape};
use std::ops::Range;
use tensor::{Float, GradientSink, Mat, Panels, Right, add_scaled, half_square, matmul};

/// States and costates of the linear-quadratic system for one chunk of a batch.
pub(crate) type LqTape<T> = OwnTape<T, LqParts<T>>;

/// What a linear-quadratic system keeps besides the states.
#[derive(Clone, Debug)]
pub struct LqParts<T> {
    /// Noise of each step.
    noise: Vec<Vec<T>>,
    /// y.
    target: Vec<T>,
}

impl Architecture for Lq {
    fn shape(&self) -> Shape {
        let spec = &self.spec;
        Shape { inputs: spec.inputs(), width: spec.d, blocks: spec.blocks, classes: spec.outputs }
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn state(&self, _l: usize) -> State {
        State::flat(self.spec.d)
    }

    fn classifies(&self) -> bool {
        false
    }

    fn parameter_ranges(&self) -> Vec<(Range<usize>, f64)> {
        Vec::new()
    }

    fn forward_difference<'a>(&'a self, params: &'a [f64]) -> Option<Box<dyn ForwardDifference + 'a>> {
        Some(Box::new(LqDifference::new(self, params)))
    }
}

impl<T: Float> Network<T> for Lq {
    type Tape = LqTape<T>;

    fn initial(&self, seed: u64) -> Vec<T> {
        self.given(seed)
    }

    fn tape(&self, rows: usize) -> LqTape<T> {
        let noise = (0..self.spec.blocks).map(|_| vec![T::ZERO; rows * self.spec.d]).collect();
        let target = vec![T::ZERO; rows * self.spec.outputs];
        LqTape { states: States::new(self, rows), own: LqParts { noise, target } }
    }

    fn embed(&self, _params: &[T], x: &[T], rows: usize, tape: &mut LqTape<T>) {
        let LqTape { states, own } = tape;
        let d = self.spec.d;
        let outputs = self.spec.outputs;
        let size = T::of(self.spec.noise);
        states.rows = rows;
        for (i, x) in x.chunks_exact(self.spec.inputs()).enumerate() {
            states.h[0][i * d..(i + 1) * d].copy_from_slice(&x[..d]);
            own.target[i * outputs..(i + 1) * outputs].copy_from_slice(&x[d..d + outputs]);
            for (noise, drawn) in own.noise.iter_mut().zip(x[d + outputs..].chunks_exact(d)) {
                let noise = &mut noise[i * d..(i + 1) * d];
                noise.iter_mut().zip(drawn).for_each(|(n, &x)| *n = size * x);
            }
        }
    }

    fn block(&self, params: &[T], l: usize, tape: &mut LqTape<T>) {
        let LqTape { states, own } = tape;
        let rows = states.rows;
        let d = self.spec.d;
        let n = rows * d;
        let (before, after) = states.h.split_at_mut(l + 1);
        let h = &before[l][..n];
        let next = &mut after[0][..n];
        let a = Right::Panels(Panels::new(&params[self.dynamics[l].clone()], d, d));
        matmul(next, T::ONE, Mat::new(h, rows, d), a);
        add_scaled(next, T::ONE, &own.noise[l][..n]);
        let f = states.f[l][..n].iter_mut().zip(next.iter().zip(h));
        f.for_each(|(f, (&next, &h))| *f = next - h);
    }

    fn head(&self, params: &[T], tape: &mut LqTape<T>) {
        let LqTape { states, own } = tape;
        let rows = states.rows;
        let d = self.spec.d;
        let outputs = self.spec.outputs;
        let c = Right::Panels(Panels::new(&params[self.cost.clone()], d, outputs));
        let out = &mut states.logits[..rows * outputs];
        matmul(out, T::ONE, Mat::new(&states.h[self.spec.blocks][..rows * d], rows, d), c);
        add_scaled(out, T::of(-1.0), &own.target[..rows * outputs]);
    }

    fn loss(&self, tape: &mut LqTape<T>, _labels: &[u8], losses: &mut [T]) {
        let (e, z) = tape.error_mut();
        half_square(z, self.spec.outputs, e, losses);
    }

    fn head_vjp(&self, params: &[T], tape: &mut LqTape<T>, below: &mut [T]) {
        let outputs = self.spec.outputs;
        let c = Right::Transposed(Panels::new(&params[self.cost.clone()], self.spec.d, outputs));
        matmul(below, T::ONE, Mat::new(tape.error(), tape.rows(), outputs), c);
    }

    fn branch_vjp(&self, params: &[T], block: usize, tape: &mut LqTape<T>, below: Option<&mut [T]>) {
        let Some(below) = below else { return };
        let rows = tape.states.rows;
        let d = self.spec.d;
        let a = Right::Transposed(Panels::new(&params[self.dynamics[block].clone()], d, d));
        let signal = &tape.states.signals[block + 1][..rows * d];
        matmul(below, T::ONE, Mat::new(signal, rows, d), a);
        // The branch is A − I.
        add_scaled(below, T::of(-1.0), signal);
    }

    fn gradient(
        &self,
        _passes: &[Pass<'_, T, LqTape<T>>],
        _scale: T,
        _range: Range<usize>,
        _sink: GradientSink<'_, T>,
    ) {
    }
}
