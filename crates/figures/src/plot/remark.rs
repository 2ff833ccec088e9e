//! What is said of a row of a panel: in full in the table, and as much of it beside the row's values as there is room for.

use crate::scene::{Colour, Meaning};

/// Words in a row of a panel whose vertical axis has names.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// The row.
    pub at: f64,
    /// In full, for the table.
    pub text: String,
    /// What is written: the first that has room. Label sources.
    pub written: Vec<String>,
    /// Colour of the words.
    pub ink: Colour,
    /// Whether the words are bold.
    pub bold: bool,
    /// Whether the first wording is written even across a reference line.
    pub needed: bool,
    /// What it is about, for the table.
    pub meaning: Meaning,
}
