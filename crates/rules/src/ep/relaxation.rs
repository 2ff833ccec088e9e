//! The nudged phase: E + β·loss is brought to rest, sample by sample.
//!
//! E = ½‖h_0 − embed(x)‖² + ½Σ‖h_{l+1} − h_l − f_l(h_l)‖² has its minimum, 0, at the forward pass. Its gradient at h_l is r_l − (the
//! block's transposed Jacobian) r_{l+1}, where r_l is what h_l exceeds its own block's output by; at h_L the nudge β·p_L is
//! added. Each sample goes down that gradient by steps of its own length, ⟨s, s⟩/⟨s, y⟩ for the last move s and the change y of
//! the gradient (Barzilai and Borwein, 1988).

use super::EpSpec;
use crate::Seen;
use nn::{Network, Tape};
use tensor::{Float, add_scaled};

/// The first step: E alone has curvatures of up to 4 where blocks are small.
const FIRST: f64 = 0.25;

/// States at rest.
pub(super) struct Relaxed<T> {
    /// h_0 … h_L.
    pub(super) h: Vec<Vec<T>>,
    /// What each exceeds the output of its own block by.
    pub(super) excess: Vec<Vec<T>>,
    /// β of each sample.
    pub(super) beta: Vec<T>,
    /// Steps that each sample took.
    pub(super) steps: Vec<usize>,
    /// Whether it came to rest, rather than to the last step allowed.
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

/// Excess of every state, and the gradient of E + β·loss there.
fn gradient<T: Float, N: Network<T>>(
    seen: &Seen<'_, T, N>,
    beta: &[T],
    h: &[Vec<T>],
    tape: &mut N::Tape,
) -> (Vec<Vec<T>>, Vec<Vec<T>>) {
    let (net, params, blocks) = (seen.net, seen.params, h.len() - 1);
    let less = |a: &[T], b: &[T]| -> Vec<T> { a.iter().zip(b).map(|(&a, &b)| a - b).collect() };
    let mut excess = vec![less(&h[0], seen.tape.hidden(0))];
    for l in 0..blocks {
        tape.place(l, &h[l]);
        net.block(params, l, tape);
        excess.push(less(&h[l + 1], tape.hidden(l + 1)));
    }
    tape.place(blocks, &h[blocks]);
    net.head(params, tape);
    net.judge(tape, seen.labels, &mut vec![T::ZERO; seen.labels.len()]);
    let mut gradient = excess.clone();
    let mut nudge = vec![T::ZERO; h[blocks].len()];
    net.head_vjp(params, tape, &mut nudge);
    let width = nudge.len() / beta.len();
    let rows = gradient[blocks].chunks_exact_mut(width).zip(nudge.chunks_exact(width));
    rows.zip(beta).for_each(|((gradient, nudge), &beta)| add_scaled(gradient, beta, nudge));
    for l in (0..blocks).rev() {
        tape.signal_mut(l + 1).0.copy_from_slice(&excess[l + 1]);
        let mut below = vec![T::ZERO; h[l].len()];
        net.branch_vjp(params, l, tape, Some(&mut below));
        if net.skip(l) {
            add_scaled(&mut below, T::ONE, &excess[l + 1]);
        }
        add_scaled(&mut gradient[l], T::of(-1.0), &below);
    }
    (excess, gradient)
}

/// Relaxes from the forward pass on, until the gradient is below `tolerance` of the nudge or the steps are used up.
pub(super) fn relax<T: Float, N: Network<T>>(seen: &Seen<'_, T, N>, spec: &EpSpec) -> Relaxed<T> {
    let (rows, blocks) = (seen.labels.len(), seen.net.shape().blocks);
    let mut tape = seen.net.tape(rows);
    // Some heads read more of the input than the last state.
    seen.net.embed(seen.params, seen.x, rows, &mut tape);
    let mut h: Vec<Vec<T>> = (0..=blocks).map(|l| seen.tape.hidden(l).to_vec()).collect();
    let (p, top) = ([seen.p_last.to_vec()], &h[blocks..]);
    let squares: Vec<(f64, f64)> = dots(&p, &p, rows).into_iter().zip(dots(top, top, rows)).collect();
    let strength = |&(p, h): &(f64, f64)| match spec.relative {
        true if p > 0.0 => spec.beta * (h / p).sqrt(),
        true => 0.0,
        false => spec.beta,
    };
    // A sample whose gradient is too small for any nudge that the number type can hold is not nudged.
    let held = |both: &(f64, f64)| T::of(strength(both)).to_f64();
    let strength = |both: &(f64, f64)| if held(both).is_finite() { held(both) } else { 0.0 };
    let beta: Vec<T> = squares.iter().map(|both| T::of(strength(both))).collect();
    let enough: Vec<f64> =
        squares.iter().map(|both| both.0 * (strength(both) * spec.tolerance).powi(2)).collect();
    let mut lengths = vec![FIRST; rows];
    let (mut steps, mut at_rest) = (vec![0; rows], vec![false; rows]);
    let (mut excess, mut slope) = gradient(seen, &beta, &h, &mut tape);
    loop {
        for (at_rest, (size, enough)) in
            at_rest.iter_mut().zip(dots(&slope, &slope, rows).iter().zip(&enough))
        {
            *at_rest |= size <= enough;
        }
        if at_rest.iter().all(|&rest| rest) || steps.iter().max() >= Some(&spec.steps) {
            return Relaxed { h, excess, beta, steps, at_rest };
        }
        let mut moves = slope.clone();
        for (moves, h) in moves.iter_mut().zip(&mut h) {
            let width = moves.len() / rows;
            let samples = moves.chunks_exact_mut(width).zip(h.chunks_exact_mut(width));
            for (i, (moves, h)) in samples.enumerate() {
                let factor = T::of(if at_rest[i] { 0.0 } else { -lengths[i] });
                moves.iter_mut().for_each(|s| *s *= factor);
                add_scaled(h, T::ONE, moves);
            }
        }
        steps.iter_mut().zip(&at_rest).filter(|(_, rest)| !**rest).for_each(|(steps, _)| *steps += 1);
        let before = slope;
        (excess, slope) = gradient(seen, &beta, &h, &mut tape);
        let (along, old, new) =
            (dots(&moves, &moves, rows), dots(&moves, &before, rows), dots(&moves, &slope, rows));
        for i in 0..rows {
            let bend = new[i] - old[i];
            // Where the energy is not convex along the move, the length stays.
            if bend > 0.0 && along[i] > 0.0 {
                lengths[i] = along[i] / bend;
            }
        }
    }
}
