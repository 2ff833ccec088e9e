//! The vision transformer `vit`: patches of an image as tokens, and a class token that the head reads.
//!
//! h_0 holds the class token and one token per patch, each with its learned position. A block is one unit of two halves,
//! u = h + attn(LN1(h)) and h' = u + mlp(LN2(u)), and its branch is all that it adds: f(h) = attn(LN1(h)) + mlp(LN2(u)).
//! Linear layers treat the tokens of all samples as rows of one matrix; only attention works sample by sample.

mod attention;
mod attention_shift;
mod difference;
mod layers;
mod layout;
mod network;
mod patches;
mod reached;
mod spec;
mod tape;

pub use layout::Vit;
pub use spec::VitSpec;
pub use tape::VitTape;
