//! How often something is looked at: the pause grows with what a look costs.

use std::time::{Duration, Instant};

/// Something that is done again and again.
#[derive(Debug)]
pub(super) struct Pace {
    next: Option<Instant>,
    /// Pauses are this many times as long as what they follow.
    share: u32,
    /// The shortest pause and the longest.
    within: (Duration, Duration),
}

impl Pace {
    pub(super) fn new(share: u32, shortest: Duration, longest: Duration) -> Self {
        Self { next: None, share, within: (shortest, longest) }
    }

    /// Whether it is time.
    pub(super) fn is_due(&self) -> bool {
        self.next.is_none_or(|next| next <= Instant::now())
    }

    /// The pause after something that ended then and took so long.
    pub(super) fn rest(&mut self, ended: Instant, took: Duration) {
        let (shortest, longest) = self.within;
        self.next = Some(ended + took.saturating_mul(self.share).clamp(shortest, longest));
    }

    /// Ends the pause after `pause` at the latest.
    pub(super) fn within(&mut self, pause: Duration) {
        let soon = Instant::now() + pause;
        self.next = self.next.map(|next| next.min(soon));
    }
}
