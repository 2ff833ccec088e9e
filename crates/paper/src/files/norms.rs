//! The N of the gradient norms in the paper's files.

/// The files hold ‖g‖ of the mean over this many samples. The median ‖p‖ of per-sample gradients does not depend on N, so
/// ours is divided by this N however many samples our run evaluated.
pub const SAMPLES: u64 = 1024;

/// ‖g‖ as the files hold it, from ‖p‖.
pub fn of_mean(p: f64) -> f64 {
    protocol::of_mean(p, SAMPLES)
}

/// ‖p‖ of per-sample gradients from the files' ‖g‖: exact in binary.
pub fn of_sample(g: f64) -> f64 {
    g * SAMPLES as f64
}
