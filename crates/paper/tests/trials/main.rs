//! The paper's files as trials for figures: on trees that the tests write themselves, and on the paper's own where a variable
//! points to it.

mod errors;
mod files;
#[path = "../../../figures/tests/reading/made.rs"]
#[expect(dead_code, reason = "made for the reader of records, and needed here in part")]
mod made;
mod real;
