//! The files that the paper's plotting scripts read: their shape, reading and writing. Numbers follow the paper's
//! conventions there, which are not always ours: `bp_cosine` compares a_l with p_l, and gradient norms are those of the mean
//! over 1024 samples.

mod file;
mod penalty;
mod position;
mod results;
mod snapshot;

pub use file::{PaperFile, Reading, read, read_leniently, write};
pub use penalty::{Penalised, PenalisedEntry};
pub use results::{Diagnostics, Method, MethodLog, Results};
pub use snapshot::{Snapshot, SnapshotEntry};

/// The N over whose mean the gradient norms in these files are taken. The median ‖p‖ of the per-sample gradient does not
/// depend on N, so ours is divided by this N whatever number of samples our run looked at.
pub const SAMPLES: u64 = 1024;
