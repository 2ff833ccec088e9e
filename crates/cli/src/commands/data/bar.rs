//! The progress of a download, on a terminal only.

use crate::args::Verbosity;
use data::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::Path;

/// One line that follows what the fetch does.
pub(super) struct Bar {
    bar: ProgressBar,
    quiet: bool,
}

impl Bar {
    /// A bar on standard error, drawn if that is a terminal.
    pub(super) fn new(verbosity: Verbosity) -> Self {
        let quiet = verbosity == Verbosity::Quiet;
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        Self { bar: ProgressBar::with_draw_target(None, target), quiet }
    }

    pub(super) fn on(&mut self, progress: Progress<'_>) {
        match progress {
            Progress::Started { url, done, total } => {
                let template = "{prefix} {bar:24.cyan/blue} {decimal_bytes} of {decimal_total_bytes}  \
                                {decimal_bytes_per_sec}  {eta} left";
                self.bar.set_style(style(template).progress_chars("━╸─"));
                self.bar.set_prefix(last_part(Path::new(url)));
                self.bar.set_length(total);
                self.bar.set_position(done);
                // Speed and time left follow this sitting, not what an earlier one brought.
                self.bar.reset_eta();
                crate::show::tick(&self.bar);
            }
            Progress::Downloaded { done, .. } => self.bar.set_position(done),
            Progress::Retrying { why } => {
                if !self.quiet {
                    self.bar.suspend(|| crate::show::complain!("creditscope: {why}; trying again"));
                }
            }
            Progress::Verifying { path } => self.work("checking", path),
            Progress::Installing { path } => self.work("unpacking", path),
        }
    }

    /// Work whose end is not known.
    fn work(&self, what: &str, path: &Path) {
        self.bar.set_style(style("{spinner} {msg}  {elapsed}"));
        self.bar.set_message(format!("{what} {}", last_part(path)));
        crate::show::tick(&self.bar);
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("a fixed template")
}

fn last_part(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
