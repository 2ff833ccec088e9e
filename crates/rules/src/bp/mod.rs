//! Backpropagation: the credit of every unit is the gradient of each sample's own loss at its output.

mod credit;

pub use credit::Bp;
