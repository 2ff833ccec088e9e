//! `dissociation`: what the cosine says about each rule against what accuracy, ρ and nudge say, and which rules they
//! rank in opposite order.

mod draw;
mod measure;
mod panel;
mod rank;

pub(super) use draw::draw;
