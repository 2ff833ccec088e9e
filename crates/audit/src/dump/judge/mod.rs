//! Turns dumps into an audit: checks the reference, measures credit against it, and makes the checks of the protocol.

mod audit;
mod direct;
mod doubt;
mod downstream;
mod epochs;
mod evidence;
mod files;
mod judgeable;
mod options;
mod output;
mod overview;
mod reference;
mod tested;
mod units;

pub use audit::{judge, judge_epochs};
pub use downstream::HeadDownstream;
pub use files::judge_files;
pub use options::DumpOptions;
