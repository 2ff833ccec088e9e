//! The files that the paper's plotting scripts read: structure, reading and writing. They follow the paper's conventions:
//! `bp_cosine` compares a_l with p_l, and gradient norms are of the mean over 1024 samples.

mod file;
mod norms;
mod penalty;
mod position;
mod results;
mod snapshot;

pub use file::{PaperFile, Reading, read, read_leniently, write};
pub use norms::{SAMPLES, of_mean, of_sample};
pub use penalty::{Penalised, PenalisedEntry};
pub use results::{Diagnostics, Method, MethodLog, Results};
pub use snapshot::{Snapshot, SnapshotEntry};
