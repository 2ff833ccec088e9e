//! Turns dumps into an audit: checks the reference, measures credit against it, and makes the checks of the protocol.

mod audit;
mod downstream;
mod epochs;
mod evidence;
mod judgeable;
mod options;
mod output;
mod overview;
mod reference;
mod units;

pub use audit::{judge, judge_epochs, judge_files};
pub use downstream::HeadDownstream;
pub use options::DumpOptions;
