//! Networks as chains of units: an embedding, L blocks, a head.
//!
//! Each network provides its forward pass and the vector-Jacobian product of every part with an arbitrary signal. That is
//! all a learning rule needs, and frameworks with autograd hide it: a rule other than backpropagation gives each block
//! its own signal. There is no automatic differentiation here.

mod architecture;
mod difference;
mod error;
mod init;
mod kind;
mod layout;
mod linear;
mod lq;
mod mlp;
mod net;
mod network;
mod resnet;
mod tape;
mod vit;

pub use architecture::{Architecture, Shape, State};
pub use difference::{Differences, ForwardDifference, UnmovedSamples};
pub use error::Error;
pub use kind::NetKind;
pub use layout::{Layout, Role, Tensor, Unit};
pub use lq::{Lq, LqSpec};
pub use mlp::{Activation, Mlp, MlpSpec};
pub use net::Net;
pub use network::Network;
pub use resnet::{Resnet, ResnetSpec, ResnetTape};
pub use tape::{OwnTape, Pass, States, Tape};
pub use vit::{Vit, VitSpec, VitTape};
