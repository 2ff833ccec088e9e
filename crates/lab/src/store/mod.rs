//! Files of a run: its directory and its checkpoint.

mod checkpoint;
mod directory;
mod resume;
mod shelf;

pub use checkpoint::{Checkpoint, Restored};
pub(crate) use directory::Opened;
pub use directory::RunDirectory;
pub use resume::is_trained;
pub(crate) use resume::{Found, RecipeFile, look};
pub use shelf::Shelf;
