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
mod vit;

pub use layout::{Layout, Tensor, Unit};
pub use lq::{Lq, LqSpec, LqTape};
pub use mlp::{Activation, Mlp, MlpSpec, MlpTape};
pub use net::{Net, NetTape};
pub use network::{Network, Pass, Shape, State, Tape};
pub use resnet::{Resnet, ResnetSpec, ResnetTape};
pub use vit::{Vit, VitSpec, VitTape};

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
    /// A size that another does not divide.
    #[error("{what} is {value}: it must be a multiple of {by}, which is {divisor}")]
    Indivisible {
        /// Which size.
        what: &'static str,
        /// What was asked for.
        value: usize,
        /// Which other size.
        by: &'static str,
        /// Its value.
        divisor: usize,
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
