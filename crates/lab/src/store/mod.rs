//! Files of a run: its directory and its checkpoint.

mod checkpoint;
mod directory;
mod outcome;
mod resume;
mod shelf;

pub use checkpoint::{Checkpoint, Restored};
pub(crate) use directory::Opened;
pub use directory::RunDirectory;
pub use outcome::{Asked, outcome};
pub use resume::is_trained;
pub(crate) use resume::{Found, RecipeFile, look};
pub use shelf::Shelf;
