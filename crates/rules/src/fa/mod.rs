//! Feedback alignment: the true gradient at the top, carried down by fixed random matrices in place of the
//! transposed Jacobians (Lillicrap and others, 2016).

mod credit;

pub use credit::Fa;
