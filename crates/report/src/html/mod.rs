//! One file to send: the pages of audits, figures, runs and definitions as a single HTML document that loads nothing. It is complete
//! without its script, which adds filters, read-outs and comparisons.

mod document;
mod filter;
mod foot;
mod packed;
mod policy;
mod records;
mod runs;
mod table;

pub use document::{Document, Picture, Rendered, Word};
pub use policy::Mode;
pub use records::{Ink, Ramps, data};
pub use runs::{ABSENT, RunPart, overview};

/// What the page adds to what can be read without it.
const SCRIPT: &str = concat!(
    include_str!("script/base.js"),
    include_str!("script/state.js"),
    include_str!("script/records.js"),
    include_str!("script/marks.js"),
    include_str!("script/figures.js"),
    include_str!("script/runs.js"),
    include_str!("script/charts.js"),
    include_str!("script/compare.js"),
    include_str!("script/live.js"),
    include_str!("script/start.js"),
);
/// How it looks on a screen and on paper.
const STYLE: &str = include_str!("page.css");

#[cfg(test)]
mod tests {
    /// A page may be sent by mail: what every page carries stays small.
    #[test]
    fn the_script_is_at_most_30_kb() {
        assert!(super::SCRIPT.len() <= 30_000, "{} bytes", super::SCRIPT.len());
    }
}
