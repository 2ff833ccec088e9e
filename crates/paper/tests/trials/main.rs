//! The paper's files as trials for figures: on trees written by the tests, and on the paper's own if a variable points to it.

mod errors;
mod files;
#[path = "../../../figures/tests/reading/made.rs"]
#[expect(dead_code, reason = "made for the reader of records, and needed here in part")]
mod made;
mod real;
