//! A disk that loses power, for tests of this crate and of others: what a program changed, what a crash may leave of it, and the
//! places that wait so that a crash cannot.

pub(crate) mod history;
pub(crate) mod model;
pub(crate) mod scratch;
pub(crate) mod site;
