//! Everything about one published study, "What Accuracy and Gradient Cosine Miss" (arXiv 2606.21126): its [`files`], read
//! as [`trials`] for figures and written by [`export`](export()), so that its scripts work on our runs; its [`study`]
//! recipes; its [`published`] values, and how ours [`compare`] with them; the figures that only it has ([`FIGURES`]). No
//! other library depends on this one.

mod catalogue;
pub mod compare;
mod export;
pub mod files;
pub mod published;
pub mod study;
mod trials;

pub use catalogue::{FIGURES, all_figures};
pub use export::{Gap, Manifest, Missing, Origin, Report, ScriptNeeds, export};
pub use trials::{FILES, records};
