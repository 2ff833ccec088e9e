//! The reader, on trees that the tests write themselves.

mod audits;
mod errors;
mod made;
mod runs;
mod settings;
