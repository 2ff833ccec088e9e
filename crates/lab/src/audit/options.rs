//! Options of an audit.

use data::Folder;

/// The requested options; a missing value means the protocol's default.
#[derive(Clone, Debug)]
pub struct AuditOptions {
    /// Folder with the data sets.
    pub folder: Folder,
    /// Number of test samples to measure on.
    pub samples: u64,
    /// Random directions per sample for ρ.
    pub directions: u64,
    /// Draws of each null.
    pub draws: u64,
    /// Whether to train linear probes.
    pub probe: bool,
    /// Judge from the logs alone.
    pub log_only: bool,
    /// Measure what no `audit.json` holds; else the log has to do there.
    pub measure: bool,
    /// Repeat measurements that an `audit.json` already contains.
    pub again: bool,
    /// Put runs with different conditions into one table.
    pub mixed: bool,
    /// Write `audit.json` into each run directory.
    pub save: bool,
    /// Number of audits at the same time; by default one per core.
    pub jobs: Option<usize>,
    /// Threads per audit; by default the free cores divided among the audits.
    pub threads: Option<usize>,
}

impl AuditOptions {
    /// The protocol's defaults: 1,280 samples, 32 directions, 20 draws.
    pub fn new(folder: Folder) -> Self {
        Self {
            folder,
            samples: protocol::SAMPLES,
            directions: protocol::DIRECTIONS,
            draws: protocol::DRAWS,
            probe: false,
            log_only: false,
            measure: true,
            again: false,
            mixed: false,
            save: true,
            jobs: None,
            threads: None,
        }
    }
}
