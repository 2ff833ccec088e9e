//! Equilibrium propagation: the states minimise an energy whose minimum is the forward pass, then are nudged towards a smaller
//! loss. The remaining imbalance at each unit is its credit (Scellier and Bengio, 2017).

mod moved;
mod nudged;
mod relaxation;

pub(crate) use nudged::definition;
