//! The plain path beside the real one: healthy runs are never accused, planted faults are named where they are.

mod bridges;
mod carried;
mod derivation;
mod feedback;
mod healthy;
mod kinds;
mod planted;
mod refused;
mod run;
