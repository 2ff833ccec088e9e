//! Bars that move while nothing is reported.

use indicatif::ProgressBar;
use std::time::Duration;

/// Redraws a bar four times a second, which takes a thread; where the system has none to give, it moves when there is news.
pub(crate) fn tick(bar: &ProgressBar) {
    if std::thread::Builder::new().spawn(|| {}).is_ok() {
        bar.enable_steady_tick(Duration::from_millis(250));
    }
}
