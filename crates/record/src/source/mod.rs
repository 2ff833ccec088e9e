//! The files of the work this program grew out of ("What Accuracy and Gradient Cosine Miss", arXiv 2606.21126), whose
//! plotting scripts read them: their shape, and [`export`], which writes them from our runs so that those scripts run
//! unchanged. Numbers follow the source's conventions there, which are not always ours: `bp_cosine` compares a_l with
//! p_l, and gradient norms are those of the mean over 1024 samples.

mod choose;
mod diagnostics;
mod export;
mod facts;
mod file;
mod manifest;
mod needs;
mod penalty;
mod piece;
mod place;
mod position;
mod python;
mod report;
mod results;
mod scripts;
mod snapshot;
mod tree;

pub use export::export;
pub use file::{Reading, SourceFile, read, read_leniently, write};
pub use manifest::{Manifest, Origin};
pub use penalty::{Penalised, PenalisedEntry};
pub use piece::SAMPLES;
pub use report::{Gap, Missing, Report, ScriptNeeds};
pub use results::{Diagnostics, Method, MethodLog, Results};
pub use snapshot::{Snapshot, SnapshotEntry};
