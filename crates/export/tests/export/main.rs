//! What is exported, from records made by hand.

mod made;
mod tidy;
