//! What a set of audits shows, in words: pages for people, tables and test reports for programs.
//!
//! The crate sees records and asks the protocol; it measures nothing, prints nothing and knows no command line. Whoever
//! shows an audit (a terminal, a file, a notebook) takes the words from here, so that they are the same everywhere.

pub mod audit;
pub mod show;
pub mod verdict;
