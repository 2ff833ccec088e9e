//! A page of runs that go on, as it was made at some moment.

use super::Material;
use crate::commands::watch::Watch;
use crate::failure::Failure;
use crate::show;
use report::html::{Mode, Rendered};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// After a page that took a second to make, the next one comes this many seconds later at the earliest.
const SHARE: u32 = 200;

/// How pages are made.
pub(crate) struct Press<'a> {
    pub(crate) paths: &'a [PathBuf],
    pub(crate) title: Option<&'a str>,
    /// The command that makes them.
    pub(crate) command: &'a str,
    pub(crate) mode: Mode,
    pub(crate) full: bool,
}

/// Verdicts, figures and tables. What is under way is put in when the page is handed out.
pub(crate) struct Sheet {
    rendered: Rendered,
    /// The state of the records that it shows.
    version: u64,
    /// Whether all runs were at their end.
    ended: bool,
    made: String,
    at: Instant,
    took: Duration,
}

impl Press<'_> {
    /// A page of what there is.
    pub(crate) fn print(&self, version: u64, ended: bool) -> Result<Sheet, Failure> {
        let begun = Instant::now();
        let made = lab::now();
        let material = Material::so_far(self.paths)?;
        let mut document = material.document(self.title, self.command)?;
        document.revision = version.to_string();
        let rendered = document.render(self.mode, self.full);
        Ok(Sheet { rendered, version, ended, made, at: Instant::now(), took: begun.elapsed() })
    }
}

impl Sheet {
    /// Whether a new one is to be made: the records changed, and this one is old enough for its making to be a small share of the
    /// time, or shows the last runs before their end.
    pub(crate) fn is_out_of_date(&self, version: u64, ended: bool) -> bool {
        let old = self.at.elapsed() >= self.took.saturating_mul(SHARE);
        self.version != version && (old || ended && !self.ended)
    }

    /// The state of the records that it shows.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// What is under way, with a line that says how old all else on the page is.
    pub(crate) fn live(&self, watch: &Watch) -> report::html::Live {
        let mut live = watch.now();
        if self.version != watch.version() {
            live.notes.push(format!("All else on this page is as of {}.", show::moment(&self.made)));
        }
        live
    }

    /// The whole page.
    pub(crate) fn html(&self, watch: &Watch) -> String {
        self.rendered.with_live(&self.live(watch))
    }
}
