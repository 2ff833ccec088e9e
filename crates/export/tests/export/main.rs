//! What is exported, from records made by hand.

mod events;
mod made;
mod tensorboard;
mod tidy;
