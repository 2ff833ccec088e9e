//! The ground floor: numbers, products, fused loops and random streams. It knows nothing of learning.

pub mod random;
