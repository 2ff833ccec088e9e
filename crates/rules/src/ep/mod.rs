//! Equilibrium propagation: states relax under an energy whose minimum is the forward pass, are nudged towards a smaller loss, and
//! what remains unbalanced at each unit is its credit (Scellier and Bengio, 2017).

mod moved;
mod nudged;
mod relaxation;

pub(crate) use nudged::definition;
