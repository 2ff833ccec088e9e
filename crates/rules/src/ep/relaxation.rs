//! The nudged phase: E + β·loss is brought to rest, sample by sample.
//!
//! E = ½‖h_0 − embed(x)‖² + ½Σ‖h_{l+1} − h_l − f_l(h_l)‖² has its minimum, 0, at the forward pass. With r_l for what h_l exceeds the
//! output of its own block by, its gradient at h_l is r_l − (the block's transposed Jacobian) r_{l+1}; at h_L the nudge β·p_L is
//! added. So at rest the excess is −β times the gradient of the loss *at the nudged states*, and states and excess are found in
//! turns: down through the blocks for the excess, up for the states. To E that is a step of Gauss and Newton's method: a few
//! do, where descent takes hundreds. Each sample goes as far as its last two steps tell, after Barzilai and Borwein (1988).

use super::EpSpec;
use crate::Seen;
use nn::{Network, Tape};
use tensor::{Float, add_scaled};

/// States at rest.
pub(super) struct Relaxed<T> {
    /// h_0 … h_L.
    pub(super) h: Vec<Vec<T>>,
    /// What each exceeds the output of its own block by.
    pub(super) excess: Vec<Vec<T>>,
    /// β of each sample.
    pub(super) beta: Vec<T>,
    /// Passes that each sample took.
    pub(super) steps: Vec<usize>,
    /// Whether it came to rest, rather than to the last pass allowed.
    pub(super) at_rest: Vec<bool>,
}

/// The sum of a[i]·b[i] over all layers, for each sample.
fn dots<T: Float>(a: &[Vec<T>], b: &[Vec<T>], rows: usize) -> Vec<f64> {
    let mut sums = vec![0.0; rows];
    for (a, b) in a.iter().zip(b) {
        let width = a.len() / rows;
        for ((a, b), sum) in a.chunks_exact(width).zip(b.chunks_exact(width)).zip(&mut sums) {
            *sum += a.iter().zip(b).map(|(a, b)| a.to_f64() * b.to_f64()).sum::<f64>();
        }
    }
    sums
}

/// A network whose states are moved.
struct Moved<'a, T: Float, N: Network<T>> {
    seen: &'a Seen<'a, T, N>,
    tape: N::Tape,
}

impl<T: Float, N: Network<T>> Moved<'_, T, N> {
    fn blocks(&self) -> usize {
        self.seen.net.shape().blocks
    }

    /// The states that exceed the outputs of their blocks by so much.
    fn up(&mut self, excess: &[Vec<T>]) -> Vec<Vec<T>> {
        let (net, params) = (self.seen.net, self.seen.params);
        let mut states: Vec<Vec<T>> = Vec::with_capacity(excess.len());
        for (l, excess) in excess.iter().enumerate() {
            if l > 0 {
                net.block(params, l - 1, &mut self.tape);
            }
            let output = if l > 0 { self.tape.hidden(l) } else { self.seen.tape.hidden(0) };
            let mut h = output.to_vec();
            add_scaled(&mut h, T::ONE, excess);
            self.tape.place(l, &h);
            states.push(h);
        }
        net.head(params, &mut self.tape);
        let labels = self.seen.labels;
        net.judge(&mut self.tape, labels, &mut vec![T::ZERO; labels.len()]);
        states
    }

    /// −β·p_L at the states where the last way up led.
    fn nudge(&mut self, beta: &[T]) -> Vec<T> {
        let mut nudge = vec![T::ZERO; self.seen.p_last.len()];
        self.seen.net.head_vjp(self.seen.params, &mut self.tape, &mut nudge);
        let width = nudge.len() / beta.len();
        for (row, &beta) in nudge.chunks_exact_mut(width).zip(beta) {
            row.iter_mut().for_each(|p| *p *= T::ZERO - beta);
        }
        nudge
    }

    /// A signal at the output of block l, carried to its input.
    fn carry(&mut self, l: usize, signal: &[T]) -> Vec<T> {
        let net = self.seen.net;
        self.tape.signal_mut(l + 1).0.copy_from_slice(signal);
        let mut below = vec![T::ZERO; self.tape.hidden(l).len()];
        net.branch_vjp(self.seen.params, l, &mut self.tape, Some(&mut below));
        if net.skip(l) {
            add_scaled(&mut below, T::ONE, signal);
        }
        below
    }

    /// The excess that would be at rest, if it did not move the states any further.
    fn down(&mut self, nudge: &[T]) -> Vec<Vec<T>> {
        let mut excess = vec![nudge.to_vec()];
        for l in (0..self.blocks()).rev() {
            let below = self.carry(l, &excess[excess.len() - 1]);
            excess.push(below);
        }
        excess.reverse();
        excess
    }

    /// The gradient of E + β·loss.
    fn slope(&mut self, excess: &[Vec<T>], nudge: &[T]) -> Vec<Vec<T>> {
        let mut slope = excess.to_vec();
        add_scaled(&mut slope[self.blocks()], T::of(-1.0), nudge);
        for l in 0..self.blocks() {
            let below = self.carry(l, &excess[l + 1]);
            add_scaled(&mut slope[l], T::of(-1.0), &below);
        }
        slope
    }
}

/// β of each sample, and the square of the slope at which it counts as at rest.
fn strengths<T: Float, N: Network<T>>(seen: &Seen<'_, T, N>, spec: &EpSpec) -> (Vec<T>, Vec<f64>) {
    let (rows, top) = (seen.labels.len(), seen.tape.hidden(seen.net.shape().blocks).to_vec());
    let (p, top) = ([seen.p_last.to_vec()], [top]);
    let (p, top) = (dots(&p, &p, rows), dots(&top, &top, rows));
    let strength = |(&p, h): (&f64, f64)| {
        let beta = match spec.relative {
            true if p > 0.0 => spec.beta * (h / p).sqrt(),
            true => 0.0,
            false => spec.beta,
        };
        // A sample whose gradient is too small for any nudge that the number type can hold is not nudged.
        if T::of(beta).to_f64().is_finite() { T::of(beta) } else { T::ZERO }
    };
    let beta: Vec<T> = p.iter().zip(top).map(strength).collect();
    let enough = |(p, beta): (&f64, &T)| p * (beta.to_f64() * spec.tolerance).powi(2);
    let enough = p.iter().zip(&beta).map(enough).collect();
    (beta, enough)
}

/// Relaxes from the forward pass on, until the gradient is below `tolerance` of the nudge or the passes are used up.
pub(super) fn relax<T: Float, N: Network<T>>(seen: &Seen<'_, T, N>, spec: &EpSpec) -> Relaxed<T> {
    let rows = seen.labels.len();
    let (beta, enough) = strengths(seen, spec);
    let mut net = Moved { seen, tape: seen.net.tape(rows) };
    // Some heads read more of the input than the last state.
    seen.net.embed(seen.params, seen.x, rows, &mut net.tape);
    let mut excess: Vec<Vec<T>> =
        (0..=net.blocks()).map(|l| vec![T::ZERO; seen.tape.hidden(l).len()]).collect();
    let (mut steps, mut at_rest, mut lengths) = (vec![0; rows], vec![false; rows], vec![1.0; rows]);
    let mut before: Option<Vec<Vec<T>>> = None;
    loop {
        let h = net.up(&excess);
        let nudge = net.nudge(&beta);
        let slope = net.slope(&excess, &nudge);
        for (at_rest, (size, enough)) in
            at_rest.iter_mut().zip(dots(&slope, &slope, rows).iter().zip(&enough))
        {
            *at_rest |= size <= enough;
        }
        if at_rest.iter().all(|&rest| rest) || steps.iter().max() >= Some(&spec.steps) {
            return Relaxed { h, excess, beta, steps, at_rest };
        }
        // What the excess is short of.
        let mut short = net.down(&nudge);
        short.iter_mut().zip(&excess).for_each(|(short, excess)| add_scaled(short, T::of(-1.0), excess));
        if let Some(before) = before {
            let (old, new) = (dots(&before, &before, rows), dots(&before, &short, rows));
            for i in 0..rows {
                // Where a step has led further away, the length stays; where two told nearly the same, they do not tell how
                // far to go.
                if old[i] > new[i] {
                    lengths[i] *= (old[i] / (old[i] - new[i])).min(10.0);
                }
            }
        }
        for (i, (rest, steps)) in at_rest.iter().zip(&mut steps).enumerate() {
            let factor = T::of(if *rest { 0.0 } else { lengths[i] });
            *steps += usize::from(!rest);
            for (excess, short) in excess.iter_mut().zip(&short) {
                let width = excess.len() / rows;
                let own = i * width..(i + 1) * width;
                add_scaled(&mut excess[own.clone()], factor, &short[own]);
            }
        }
        before = Some(short);
    }
}
