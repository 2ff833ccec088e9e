//! Labels: text with TeX math between dollar signs, typeset and measured before anything is drawn.

mod bundled;
mod check;
mod error;
mod face;
mod family;
mod formula;
mod label;
mod line;
mod source;
mod style;
mod substitute;
mod symbols;
mod typesetter;
mod words;
mod wrap;

pub use error::{Problem, TextError};
pub(crate) use face::Face;
pub use family::Family;
pub use label::Label;
pub(crate) use label::{LabelPiece, Run};
pub use source::escape;
pub use style::{Align, TextStyle};
pub use typesetter::Typesetter;
pub(crate) use words::{latex, plain};
