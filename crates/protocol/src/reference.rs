//! Whether what credit is compared with is the gradient at all: a reference that another framework's hooks took from a custom
//! backward pass is that pass's credit, and would certify anything.

use record::audit::{Audit, ReferenceTest, Warning};
use record::{Measured, Why};

/// ρ and cosine of a true gradient with what is measured of the loss are 1. A reference below this is not the gradient.
pub const LEAST_AGREEMENT: f64 = 0.9;

/// The factor between ‖p‖ on both sides of a block from which it is worth a hint.
pub const JUMP: f64 = 100.0;

/// Whether measured loss changes contradict a gradient, beyond the error of the measurement.
///
/// ```
/// use record::audit::ReferenceTest;
/// let test = |rho, error| ReferenceTest { rho, error, directions: 32 };
/// assert!(!protocol::is_contradicted(&test(0.999, 0.001)));
/// assert!(!protocol::is_contradicted(&test(0.85, 0.05)));
/// assert!(protocol::is_contradicted(&test(-0.03, 0.05)));
/// ```
pub fn is_contradicted(test: &ReferenceTest) -> bool {
    test.rho + 2.0 * test.error < LEAST_AGREEMENT
}

/// Whether a warning says that a reference is not the gradient.
pub fn accuses(warning: &Warning) -> bool {
    match warning {
        Warning::ReferenceContradicted { .. } => true,
        Warning::ReferenceDiffers { cosine, .. } => *cosine < LEAST_AGREEMENT,
        _ => false,
    }
}

/// Whether the reference of an audit is the gradient of its forward pass, as far as that was looked at.
pub fn is_reference_sound(audit: &Audit) -> bool {
    !audit.warnings.iter().any(accuses)
}

/// A cosine with a reference that is doubted for this reason.
pub fn doubted(cosine: Measured, why: Option<Why>) -> Measured {
    match (cosine, why) {
        (Measured::Defined { value } | Measured::Unreliable { value, .. }, Some(why)) => {
            Measured::Unreliable { value, why }
        }
        (cosine, _) => cosine,
    }
}
