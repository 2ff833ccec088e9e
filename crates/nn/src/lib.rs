//! Networks as chains of units: an embedding, L blocks, a head.
//!
//! Each network gives its forward pass and the vector-Jacobian product of every part with an arbitrary signal. That
//! is all a learning rule needs, and it is what frameworks with a tape hide: a rule other than backpropagation
//! hands each block a signal of its own. There is no automatic differentiation here.

mod layout;
mod linear;
mod lq;
mod mlp;
mod net;
mod network;
mod resnet;

pub use layout::{Layout, Tensor, Unit};
pub use lq::{Lq, LqSpec, LqTape};
pub use mlp::{Activation, Mlp, MlpSpec, MlpTape};
pub use net::{Net, NetTape};
pub use network::{Network, Pass, Shape, State, Tape};
pub use resnet::{Resnet, ResnetSpec, ResnetTape};

/// What can be wrong with the description of a network.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A size that no network can have.
    #[error("{what} is {value}: it must be at least {least}")]
    TooSmall {
        /// Which size.
        what: &'static str,
        /// What was asked for.
        value: usize,
        /// The smallest that works.
        least: usize,
    },
    /// A size that has to be cut in equal parts and cannot.
    #[error("{what} is {value}: it must be a multiple of {of}")]
    NoMultiple {
        /// Which size.
        what: &'static str,
        /// What was asked for.
        value: usize,
        /// What it must be a multiple of.
        of: usize,
    },
    /// Images that are not square.
    #[error("height is {height} and width {width}: images must be square")]
    NotSquare {
        /// Rows of pixels.
        height: usize,
        /// Columns of pixels.
        width: usize,
    },
    /// A number outside the range where the definition holds.
    #[error("{what} is {value}: it must lie in {range}")]
    OutOfRange {
        /// Which number.
        what: &'static str,
        /// What was asked for.
        value: f64,
        /// Where it may lie.
        range: &'static str,
    },
    /// More parameters than can be addressed or held.
    #[error(
        "the network would have more than {limit} parameters: choose a smaller d, fewer blocks or inputs"
    )]
    TooLarge {
        /// The most that is allowed.
        limit: usize,
    },
}
