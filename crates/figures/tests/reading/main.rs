//! The reader, on trees that the tests write themselves, and on the source's own where a variable points to it.

mod audits;
mod errors;
mod made;
mod real;
mod runs;
mod source;
