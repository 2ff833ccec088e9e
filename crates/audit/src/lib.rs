//! Measurements of credit. What they permit to be said is decided in crate `protocol`.
//!
//! [`measure`](fn@measure) takes everything of one network and its rule on one set of samples; the measurements that it is
//! made of are there one by one for other uses. Everything adds up in f64, whatever it was computed in. A number comes
//! with its standing; a check that cannot be made says why.

pub mod consistency;
pub mod dump;
mod measure;
pub mod measurements;

pub use measure::{Measurements, Samples, measure};
pub use measurements::{CosineMean, band, drift, growth, median, norms, probe};
