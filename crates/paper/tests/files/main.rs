//! The paper's files: as the paper writes them, and exported from our runs.

mod choice;
mod export;
mod gaps;
mod made;
mod needs;
mod scripts;
mod shapes;
