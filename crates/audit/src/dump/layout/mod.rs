//! From named arrays to a [`Dump`]: what each name means, and whether everything fits together.

mod about;
mod assemble;
mod broken;
mod contents;
mod head;
mod labels;
mod loss_changes;
mod name;
mod origin;
mod rows;
mod scale;
mod suggest;
mod tensors;

pub use about::About;
pub(super) use assemble::assemble;
pub(super) use broken::{Broken, broken, credit, credit_name, gradient_name, hidden_name};
pub use contents::{Credit, Dump, DumpRows, Gradients, Head, Ignored, LastNorm, Loss, LossChanges, Pooling};
pub use origin::Origin;
pub(super) use scale::scale;
pub(super) use tensors::Tensors;
