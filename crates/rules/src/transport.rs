//! Carrying a signal down through the blocks.

use nn::{Network, Tape};
use tensor::{Float, add_scaled};

/// From the output of block l to its input: the signal on the tape goes through the branch, `above` along the skip connection.
pub(crate) fn through_block<T: Float, N: Network<T>>(
    net: &N,
    params: &[T],
    l: usize,
    tape: &mut N::Tape,
    above: &[T],
    below: &mut [T],
) {
    net.branch_vjp(params, l, tape, Some(below));
    if net.skip(l) {
        add_scaled(below, T::ONE, above);
    }
}

/// The same for one signal along both paths.
pub(crate) fn carry<T: Float, N: Network<T>>(
    net: &N,
    params: &[T],
    l: usize,
    tape: &mut N::Tape,
    above: &[T],
    below: &mut [T],
) {
    tape.signal_mut(l + 1).0.copy_from_slice(above);
    through_block(net, params, l, tape, above, below);
}

/// Carries a signal at h_L down through blocks with these parameters: entry l of the result acts at h_l. From p_L and the
/// network's own parameters this gives p_0 … p_L.
pub fn carry_down<T: Float, N: Network<T>>(
    net: &N,
    params: &[T],
    tape: &mut N::Tape,
    top: Vec<T>,
) -> Vec<Vec<T>> {
    let rows = tape.rows();
    let mut signals = vec![top];
    for l in (0..net.shape().blocks).rev() {
        let mut below = vec![T::ZERO; rows * net.state(l).width()];
        carry(net, params, l, tape, &signals[signals.len() - 1], &mut below);
        signals.push(below);
    }
    signals.reverse();
    signals
}
