//! What a run leaves on disk: its directory, and the checkpoint inside it.

mod checkpoint;
mod directory;

pub use checkpoint::{Checkpoint, Restored};
pub(crate) use directory::Found;
pub use directory::RunDirectory;
