//! Sign symmetry: credit goes down through the signs of the weights, all of one size (Liao, Leibo and Poggio, 2016).

mod credit;

pub use credit::SignSymmetry;
