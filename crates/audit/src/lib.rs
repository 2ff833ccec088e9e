//! Measurements of credit, and what they permit to be said.
//!
//! [`measure`](fn@measure) takes everything of one network and its rule on one set of samples; the measurements that it is
//! made of are there one by one for other uses. Everything adds up in f64, whatever it was computed in. A number comes
//! with its standing; a check that cannot be made says why.

pub mod consistency;
mod depth;
pub mod dump;
mod gamma;
mod measure;
pub mod measurements;
mod protocol;
mod seeds;
mod settings;
mod standing;
mod verdict;
mod warnings;

pub use depth::{baseline, difference, frozen_accuracy, is_frozen};
pub use gamma::{dominated, gamma};
pub use measure::{Measurements, Samples, measure, unit_name};
pub use measurements::{CosineMean, band, drift, growth, median, norms, probe};
pub use protocol::{Check, Thresholds};
pub use seeds::{mean_sd, set};
pub use settings::{PROTOCOL_SAMPLES, settings};
pub use standing::standing;
pub use verdict::{Facts, Moment, checks};
pub use warnings::unit_warnings;
