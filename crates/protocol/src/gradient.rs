//! Norms of gradients at N. Records hold ‖p‖, of each sample's own loss; ‖g‖ of the mean over N samples is ‖p‖/N, and the floor
//! of D2 is stated for one N.

/// The N that the floor of D2 is stated for.
pub const FLOOR_SAMPLES: u64 = 128;

/// ‖g‖ of the mean over `n` samples.
pub fn of_mean(p: f64, n: u64) -> f64 {
    p / n as f64
}

/// ‖g‖ at the N of the floor, which is what D2 looks at.
///
/// ```
/// assert_eq!(protocol::at_floor(1.28e-5), 1e-7);
/// ```
pub fn at_floor(p: f64) -> f64 {
    of_mean(p, FLOOR_SAMPLES)
}

/// The floor under ‖g‖ of the mean over `n` samples: it shrinks with N as ‖g‖ does.
///
/// ```
/// assert_eq!(protocol::floor_at(1e-7, 1024), 1.25e-8);
/// ```
pub fn floor_at(floor: f64, n: u64) -> f64 {
    floor * FLOOR_SAMPLES as f64 / n as f64
}
