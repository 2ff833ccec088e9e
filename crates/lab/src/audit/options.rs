//! How an audit is carried out.

use data::Folder;

/// What is asked for; absent values are the protocol's own.
#[derive(Clone, Debug)]
pub struct AuditOptions {
    /// Where data sets are.
    pub folder: Folder,
    /// Test samples to measure on.
    pub samples: u64,
    /// Random directions per sample for ρ.
    pub directions: u64,
    /// Draws of each null.
    pub draws: u64,
    /// Whether to train linear probes.
    pub probe: bool,
    /// Judge from the logs alone.
    pub log_only: bool,
    /// Measure again what an `audit.json` holds already.
    pub again: bool,
    /// Put runs of different conditions into one table.
    pub mixed: bool,
    /// Write `audit.json` into each run directory.
    pub save: bool,
    /// Audits at a time; by default one per core.
    pub jobs: Option<usize>,
    /// Threads per audit; by default what the cores allow.
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
            save: true,
            jobs: None,
            threads: None,
        }
    }
}
