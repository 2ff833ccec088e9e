//! What a set of audits shows, in words: pages for people, tables and test reports for programs.
//!
//! The crate sees records and asks the protocol; it measures nothing, prints nothing and knows no command line. A terminal,
//! a file and a notebook take the words from here, so that they are the same everywhere.

pub mod audit;
pub mod html;
pub mod page;
pub mod show;
