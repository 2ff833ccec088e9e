//! Zip files from `numpy.savez`: the table of contents, and the members as streams.

mod member;
mod table;

pub(super) use member::Zip;
