//! What is exported, from records made by hand.

mod events;
mod made;
mod mlflow;
mod tensorboard;
mod tidy;
