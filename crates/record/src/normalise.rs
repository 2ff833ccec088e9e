//! The values of the key `rule.normalise`: what a unit's credit is divided by before training uses it.

/// As recipes name them.
pub const NAMES: [&str; 3] = ["sample", "batch", "none"];

/// A value in words; one that is not listed counts as `none`.
pub fn words(name: &str) -> &'static str {
    match name {
        "sample" => "credit / RMS per sample",
        "batch" => "credit / RMS over the batch",
        _ => "raw credit",
    }
}
