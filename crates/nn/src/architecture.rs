//! What is known about a network before any computation: sizes, states, parameters.

use crate::{ForwardDifference, Layout};
use std::borrow::Cow;
use std::ops::Range;

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Features of an input.
    pub inputs: usize,
    /// The width d that recipes name: features of a hidden state, of a token, or of the first stage's positions.
    pub width: usize,
    /// Number of blocks, L.
    pub blocks: usize,
    /// Number of classes.
    pub classes: usize,
}

/// The shape of one sample's hidden state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Rows: 1 in a perceptron, the tokens of a transformer, the pixels of a convolutional network.
    pub positions: usize,
    /// Features per position.
    pub features: usize,
    /// Leading positions that feedback reaches and measurements read: the class token, else all.
    pub reached: usize,
}

impl State {
    /// A state without positions.
    pub fn flat(features: usize) -> Self {
        Self { positions: 1, features, reached: 1 }
    }

    /// Values per sample.
    pub fn width(&self) -> usize {
        self.positions * self.features
    }

    /// Leading values that feedback reaches.
    pub fn reached_features(&self) -> usize {
        self.reached * self.features
    }

    /// The values that feedback reaches, of some samples' states; borrowed if they are all.
    ///
    /// ```
    /// let tokens = nn::State { positions: 3, features: 1, reached: 2 };
    /// assert_eq!(tokens.reached_part(&[1, 2, 3, 4, 5, 6])[..], [1, 2, 4, 5]);
    /// assert_eq!(nn::State::flat(2).reached_part(&[1, 2, 3, 4])[..], [1, 2, 3, 4]);
    /// ```
    pub fn reached_part<'a, T: Copy>(&self, states: &'a [T]) -> Cow<'a, [T]> {
        let reached = self.reached_features();
        if reached == self.width() {
            return Cow::Borrowed(states);
        }
        states.chunks_exact(self.width()).flat_map(|state| &state[..reached]).copied().collect()
    }
}

/// The parts of a network that do not depend on the number type.
///
/// ```
/// use nn::Architecture;
/// let net = nn::MlpSpec::resmlp(3072, 256, 4, 10).build()?;
/// assert_eq!((net.shape().blocks, net.state(4).width()), (4, 256));
/// # Ok::<(), nn::Error>(())
/// ```
pub trait Architecture: Send + Sync {
    /// The sizes.
    fn shape(&self) -> Shape;

    /// Names, shapes and ranges of the parameters.
    fn layout(&self) -> &Layout;

    /// The shape of h_l, l = 0…L.
    fn state(&self, l: usize) -> State;

    /// Whether block l adds its branch to its input (h_{l+1} = h_l + f_l) or replaces it (h_{l+1} = f_l).
    fn skip(&self, _block: usize) -> bool {
        true
    }

    /// Whether samples have labels that the logits should predict.
    fn classifies(&self) -> bool {
        true
    }

    /// Whether a training pass of one sample depends on the others of its batch.
    fn couples_samples(&self) -> bool {
        false
    }

    /// Contiguous parameter ranges whose gradients are independent, in memory order, each inside one unit, with an estimate
    /// of their cost. Together they are all parameters that have a gradient.
    fn parameter_ranges(&self) -> Vec<(Range<usize>, f64)>;

    /// The network with these parameters as one that carries differences, if it has the code for it.
    fn forward_difference<'a>(&'a self, _params: &'a [f64]) -> Option<Box<dyn ForwardDifference + 'a>> {
        None
    }
}
