//! placeholder
/// Tolerance.
pub const TOLERANCE: f64 = 1e-4;
