//! How an audit is carried out.

use data::Folder;

/// What is asked for; absent values are the protocol's own.
#[derive(Clone, Debug)]
pub struct AuditOptions {
    /// Where data sets are.
    pub folder: Folder,
    /// Test samples to measure on.
    pub samples: u64,
    /// Random directions a sample for ρ.
    pub directions: u64,
    /// Draws of each null.
    pub draws: u64,
    /// Whether to train linear probes.
    pub probe: bool,
    /// Judge from the logs alone.
    pub log_only: bool,
    /// Measure anew what an `audit.json` tells already.
    pub again: bool,
    /// Allow runs of different recipes side by side.
    pub mixed: bool,
    /// Audits at a time; as many as there are cores where nothing is said.
    pub jobs: Option<usize>,
    /// Threads an audit; what the cores allow where nothing is said.
    pub threads: Option<usize>,
}

impl AuditOptions {
    /// The protocol's own: 1,280 samples, 32 directions, 20 draws.
    pub fn new(folder: Folder) -> Self {
        Self {
            folder,
            samples: protocol::SAMPLES,
            directions: protocol::DIRECTIONS,
            draws: protocol::DRAWS,
            probe: false,
            log_only: false,
            again: false,
            mixed: false,
            jobs: None,
            threads: None,
        }
    }
}
