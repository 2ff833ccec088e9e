//! Rules that another program brings along, such as a class in Python: trained, resumed and audited like the rules of this
//! crate. [`register`] makes one known by its name; its keys then belong to recipes like those of any rule.

mod adapter;
mod contract;
mod registry;

pub use contract::{ForeignMaker, ForeignNet, ForeignRule, ForeignTensor, Seen};
pub(crate) use registry::find;
pub use registry::{Foreign, SOURCE, generation, register, registered};
