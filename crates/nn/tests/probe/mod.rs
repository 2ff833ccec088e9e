//! A network against central differences in f64, with arbitrary signals: the scalar ⟨output, signal⟩ is differentiated by
//! hand-written code and by differences.

use nn::{Network, Pass, Tape, Unit};
use proptest::prelude::*;
use std::ops::Range;
use tensor::GradientSink;
use tensor::random::{Purpose, Stream};

/// Scale of the gradients; anything but 1.
const SCALE: f64 = 0.25;

pub(crate) struct Probe<N> {
    net: N,
    params: Vec<f64>,
    x: Vec<f64>,
    rows: usize,
    stream: Stream,
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `from + by · direction`.
fn moved(from: &[f64], by: f64, direction: &[f64]) -> Vec<f64> {
    from.iter().zip(direction).map(|(x, v)| x + by * v).collect()
}

/// Slope of a function of one number at 0, by central differences of three step sizes. Where a LayerNorm sees almost no
/// variance the slope changes within the larger ones, elsewhere the smallest drowns in rounding.
fn slopes(at: impl Fn(f64) -> f64) -> [f64; 3] {
    [1e-4, 1e-5, 1e-6].map(|step| (at(step) - at(-step)) / (2.0 * step))
}

fn close(analytic: f64, differences: [f64; 3], scale: f64) -> Result<(), TestCaseError> {
    let near = |difference: f64| (analytic - difference).abs() <= 2e-6 * (scale + analytic.abs());
    prop_assert!(differences.into_iter().any(near), "analytic {analytic}, differences {differences:?}");
    Ok(())
}

impl<N: Network<f64>> Probe<N> {
    pub(crate) fn new(net: N, rows: usize, seed: u64) -> Self {
        let mut stream = Stream::new(seed, Purpose::Feedback);
        // Nudged off the initial values, so that biases of 0 and LayerNorm weights of 1 do not hide a fault.
        let mut params = net.initial(seed);
        params.iter_mut().for_each(|p| *p += 0.3 * stream.normal());
        let x = (0..rows * net.shape().inputs).map(|_| stream.normal()).collect();
        Self { net, params, x, rows, stream }
    }

    fn normals(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.stream.normal()).collect()
    }

    /// Values of all samples' h_l.
    fn width(&self, l: usize) -> usize {
        self.rows * self.net.state(l).width()
    }

    fn forward(&self, params: &[f64]) -> N::Tape {
        let mut tape = self.net.tape(self.rows);
        self.net.forward(params, &self.x, self.rows, &mut tape);
        tape
    }

    /// Slopes along `direction` in parameter space.
    fn slopes(&self, direction: &[f64], output: impl Fn(&N::Tape) -> f64) -> [f64; 3] {
        slopes(|by| output(&self.forward(&moved(&self.params, by, direction))))
    }

    /// Writes the gradient of a range of the parameters into the whole.
    fn keep(&self, tape: &N::Tape, scale: f64, stretch: Range<usize>, gradient: &mut [f64]) {
        let params = &self.params[stretch.clone()];
        let into = &mut gradient[stretch.clone()];
        self.net.gradient(&[Pass { x: &self.x, tape }], scale, stretch, GradientSink::Keep { params, into });
    }

    /// A direction that moves one tensor only.
    fn direction(&mut self, range: Range<usize>) -> Vec<f64> {
        let mut direction = vec![0.0; self.params.len()];
        let values = self.normals(range.len());
        direction[range].copy_from_slice(&values);
        direction
    }

    /// Head and every tensor of it; then the whole chain, which also checks the signal below each block.
    pub(crate) fn whole_network(&mut self) -> Result<(), TestCaseError> {
        let shape = self.net.shape();
        let signal = self.normals(self.rows * shape.classes);
        let mut gradient = vec![f64::NAN; self.params.len()];
        let mut tape = self.forward(&self.params);
        let mut above = vec![f64::NAN; self.width(shape.blocks)];
        tape.error_mut().0.copy_from_slice(&signal);
        self.net.head_vjp(&self.params, &mut tape, &mut above);
        for l in (0..shape.blocks).rev() {
            let mut below = vec![f64::NAN; self.width(l)];
            tape.signal_mut(l + 1).0.copy_from_slice(&above);
            self.net.branch_vjp(&self.params, l, &mut tape, Some(&mut below));
            if self.net.skip(l) {
                below.iter_mut().zip(&above).for_each(|(b, a)| *b += a);
            }
            above = below;
        }
        tape.signal_mut(0).0.copy_from_slice(&above);
        // Range by range, as threads share them.
        for (stretch, _) in self.net.parameter_ranges() {
            self.keep(&tape, SCALE, stretch, &mut gradient);
        }
        prop_assert!(gradient.iter().all(|g| g.is_finite()), "every parameter received a gradient");
        let tensors = self.net.layout().tensors().to_vec();
        for tensor in tensors {
            let direction = self.direction(tensor.range.clone());
            let differences = self.slopes(&direction, |tape| dot(tape.logits(), &signal));
            let size = dot(&direction, &direction).sqrt() * (dot(&gradient, &gradient).sqrt() / SCALE + 1.0);
            close(dot(&gradient, &direction) / SCALE, differences, size)?;
        }
        Ok(())
    }

    /// One block with an arbitrary signal at its branch, as a rule other than backpropagation gives it, at all positions or
    /// at those that feedback reaches: the gradient, and the signal below the branch. The gradient's bytes do not depend on
    /// whether the latter was asked for.
    pub(crate) fn one_block(&mut self, block: usize, everywhere: bool) -> Result<(), TestCaseError> {
        let mut signal = self.normals(self.width(block + 1));
        let state = self.net.state(block + 1);
        if !everywhere {
            signal
                .chunks_exact_mut(state.width())
                .for_each(|sample| sample[state.reached_features()..].fill(0.0));
        }
        let mut tape = self.forward(&self.params);
        tape.signal_mut(block + 1).0.copy_from_slice(&signal);
        let unit = self.net.layout().unit(Unit::Block(block));
        let mut gradient = vec![0.0; self.params.len()];
        self.net.branch_vjp(&self.params, block, &mut tape, None);
        self.keep(&tape, 1.0, unit.clone(), &mut gradient);
        let direction = self.direction(unit.clone());
        let differences = self.slopes(&direction, |tape| dot(tape.branch(block), &signal));
        let size = dot(&direction, &direction).sqrt() * (dot(&gradient, &gradient).sqrt() + 1.0);
        close(dot(&gradient, &direction), differences, size)?;

        let mut below = vec![f64::NAN; self.width(block)];
        self.net.branch_vjp(&self.params, block, &mut tape, Some(&mut below));
        let mut again = vec![0.0; self.params.len()];
        self.keep(&tape, 1.0, unit, &mut again);
        prop_assert_eq!(&gradient, &again);
        let direction = self.normals(below.len());
        let h = tape.hidden(block).to_vec();
        let differences = slopes(|by| {
            let mut tape = self.net.tape(self.rows);
            tape.place(block, &moved(&h, by, &direction));
            self.net.block(&self.params, block, &mut tape);
            dot(tape.branch(block), &signal)
        });
        let size = dot(&direction, &direction).sqrt() * (dot(&below, &below).sqrt() + 1.0);
        close(dot(&below, &direction), differences, size)
    }
}
