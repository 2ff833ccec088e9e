//! a_{L−1} = p_L, and exact transport below: a_l = p_{l+1}, a_embed = p_0.
//!
//! Never normalised: the mean over the batch, which every update takes, restores the gradient of the mean loss.

use crate::{Rule, Seen, Transport};
use nn::Network;
use tensor::Float;

/// Backpropagation.
#[derive(Clone, Copy, Debug)]
pub struct Bp;

impl<T: Float, N: Network<T>> Rule<T, N> for Bp {
    fn name(&self) -> &'static str {
        "bp"
    }

    fn transport(&self) -> Transport {
        Transport::Exact
    }

    fn normalised(&self) -> bool {
        false
    }

    fn top(&self, seen: &Seen<'_, T, N>, credit: &mut [T]) {
        credit.copy_from_slice(seen.p_last);
    }

    fn below(&self, _l: usize, _seen: &Seen<'_, T, N>, _above: &[T], _credit: &mut [T]) {
        unreachable!("exact transport is the learner's");
    }
}
