//! How far a run got, and the few numbers that sum it up.

use record::Run;

/// Gradients are shown for the mean over this many samples: those that the floor of the protocol is stated for.
pub(super) const N: u64 = protocol::FLOOR_SAMPLES;

/// Versions of the arithmetic that computed a run.
pub(super) fn numerics(versions: &[u32]) -> String {
    versions.iter().map(u32::to_string).collect::<Vec<_>>().join(", then ")
}

/// `3/30`: epochs trained, of those asked for.
pub(super) fn epochs(run: &Run) -> String {
    let done = run.last().map_or(0, |epoch| epoch.epoch);
    run.epochs_asked().map_or_else(|| done.to_string(), |wanted| format!("{done}/{wanted}"))
}
