//! What a file says about itself.

/// What a file says about itself, beside the picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// What the picture is called.
    pub title: String,
    /// What it shows, for those who cannot see it.
    pub description: String,
    /// Where its values come from: runs, seeds, hashes.
    pub sources: Vec<String>,
    /// The program that drew it.
    pub creator: String,
}
