//! Metadata of a file.

/// Metadata of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "`title` says it")]
pub struct Metadata {
    pub title: String,
    /// What it shows, for readers who cannot see it.
    pub description: String,
    /// Where its values come from: runs, seeds, hashes.
    pub sources: Vec<String>,
    /// The program that drew it.
    pub creator: String,
}
