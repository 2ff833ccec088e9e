//! `dissociation`: the cosine of each rule against its accuracy, ρ and nudge, and which rules they rank in opposite order.

mod draw;
mod measure;
mod panel;
mod rank;

pub(super) use draw::draw;
