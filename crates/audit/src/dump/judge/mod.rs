//! From dumps to an audit: the reference is checked, credit is measured against it, and the checks of the protocol are made.

mod audit;
mod downstream;
mod epochs;
mod evidence;
mod missing;
mod options;
mod output;
mod overview;
mod reference;
mod units;

pub use audit::{judge, judge_epochs, judge_files};
pub use downstream::HeadDownstream;
pub use options::DumpOptions;
