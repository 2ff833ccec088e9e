//! a_{L−1} = p_L, and exact transport below: a_l = p_{l+1}, a_embed = p_0.
//!
//! Never normalised: the mean over the batch, which every update takes, restores the gradient of the mean loss.

use crate::{Lesson, Rule, Seen, Transport};
use nn::Network;
use tensor::Float;

/// Backpropagation.
#[derive(Clone, Copy, Debug)]
pub struct Bp;

impl<T: Float, N: Network<T>> Rule<T, N> for Bp {
    fn name(&self) -> &'static str {
        "bp"
    }

    fn transport(&self) -> Transport<'_, T> {
        Transport::Exact
    }

    fn normalised(&self) -> bool {
        false
    }

    fn credit(&self, _seen: &Seen<'_, T, N>, _credit: &mut [Vec<T>], _lesson: Option<&mut Lesson<T>>) {
        unreachable!("exact transport is the learner's");
    }

    fn redrawn(&self, _net: &N, _params: &[T], _seed: u64) -> Option<Box<dyn Rule<T, N>>> {
        None
    }
}
