//! The residual multilayer perceptron, which is both `resmlp` and `student`.
//!
//! `resmlp`: f(h) = W2·gelu(W1·LN(h)), usually with a last LayerNorm before the head. `student`: no LayerNorm
//! and f(h) = W2·φ_α(W1·h). They differ in two switches, so they share one implementation.

mod difference;
mod layers;
mod layout;
mod network;
mod spec;
mod tape;

pub use layout::Mlp;
pub use spec::{Activation, MlpSpec};
pub(crate) use tape::MlpTape;
