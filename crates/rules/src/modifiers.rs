//! Changes that go with any rule: which blocks train, the penalty, labels drawn at random, clipping.

use crate::{Clip, Error};
use nn::{Layout, Unit};
use std::ops::Range;

/// What a run changes besides its rule.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Modifiers {
    /// λ: adds λ‖f_l(h_l)‖², summed over features and averaged over the batch, to each block's objective.
    pub penalty: f64,
    /// Trains the last k blocks and leaves the others at their initial values, outside the optimiser. `None` trains all;
    /// `Some(0)` is the frozen baseline.
    pub trainable_last: Option<usize>,
    /// Removes the blocks, so that h_L = h_0.
    pub shallow: bool,
    /// Draws new random training labels for every batch.
    pub random_targets: bool,
    /// Clips gradients.
    pub clip: Clip,
}

impl Modifiers {
    /// Checks them against each other and against a network of `blocks` blocks.
    pub fn check(&self, blocks: usize) -> Result<(), Error> {
        let refuse = |message: String| Err(Error::Modifier(message));
        if !(self.penalty.is_finite() && self.penalty >= 0.0) {
            return refuse(format!("the penalty is {}: it must be 0 or more", self.penalty));
        }
        if !(self.clip.norm.is_finite() && self.clip.norm >= 0.0) {
            return refuse(format!(
                "gradients are clipped to {}: the norm must be 0 or more",
                self.clip.norm
            ));
        }
        match self.trainable_last {
            Some(k) if k > blocks => {
                refuse(format!("trainable_last is {k}, but the network has {blocks} blocks"))
            }
            Some(_) if self.shallow => refuse(
                "a shallow network has no blocks: leave out `shallow`, or `frozen` and `trainable_last`"
                    .to_owned(),
            ),
            _ => Ok(()),
        }
    }

    /// Whether block l of `blocks` is trained.
    pub fn trains(&self, l: usize, blocks: usize) -> bool {
        self.trainable_last.is_none_or(|k| l + k >= blocks)
    }

    /// The ranges of the parameter vector that the optimiser updates, in order.
    pub fn trained(&self, layout: &Layout, blocks: usize) -> Vec<Range<usize>> {
        let trained_blocks = (0..blocks).filter(|&l| self.trains(l, blocks)).map(Unit::Block);
        let units = std::iter::once(Unit::Embed).chain(trained_blocks).chain([Unit::Head]);
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for range in units.map(|unit| layout.unit(unit)) {
            match ranges.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => ranges.push(range),
            }
        }
        ranges
    }
}
