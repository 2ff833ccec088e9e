//! Zip files as `numpy.savez` writes them: the table of contents, and the members as streams.

mod member;
mod table;

pub(super) use member::Zip;
