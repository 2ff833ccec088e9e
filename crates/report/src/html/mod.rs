//! One file to send: the pages of audits, figures, runs and definitions as a single HTML document that loads nothing. It is complete
//! without its script, which adds filters, read-outs and comparisons.

mod document;
mod filter;
mod foot;
mod live;
mod packed;
mod policy;
mod records;
mod runs;
mod script;
mod table;

pub use document::{Document, Picture, Rendered, Word};
pub use live::{Firing, Live, Progress};
pub use policy::Mode;
pub use records::{Ink, Ramps};
pub use runs::{ABSENT, RunPart, overview};

/// How it looks on a screen and on paper.
const STYLE: &str = include_str!("page.css");

/// What a page may do, for the head of an answer that holds it; the page itself says the same.
pub fn policy(mode: Mode) -> String {
    mode.policy(STYLE, &script::SCRIPT)
}
