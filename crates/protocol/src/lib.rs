//! The protocol: from what was measured to what may be said about it.
//!
//! Thresholds, the checks D1 to D3, verdicts, frozen baselines, the seeds of one thing, Γ, reliability, standings and warnings are
//! decided here and nowhere else. The crate sees records only, so that training, audits, figures and the command line all ask it and
//! cannot disagree.

pub mod baseline;
mod checks;
mod facts;
mod gamma;
mod gradient;
mod inert;
mod kept;
mod modifiers;
mod reference;
mod reliability;
mod seeds;
mod set;
mod settings;
mod standing;
mod statistics;
mod thresholds;
mod unhelped;
mod verdict;
pub mod warnings;

pub use checks::{
    AGREEMENT, depth_utility, direction_stability, gain, least_error, reference_validity, scale_stability,
};
pub use facts::{Facts, Moment, growth, last_gradient};
pub use gamma::{gamma, gamma_mean};
pub use gradient::{FLOOR_SAMPLES, at_floor, floor_at, of_mean};
pub use inert::{assess, inert, inert_limit, nudge_effect, sensitivity};
pub use kept::{judge_again, kept_audit};
pub use modifiers::modifiers;
pub use record::audit::Thresholds;
pub use reference::{JUMP, LEAST_AGREEMENT, accuses, doubted, is_contradicted, is_reference_sound};
pub use reliability::{SAME_GRADIENT, confirm_log, confirmed, is_confirmed, judged_by};
pub use seeds::{SeedGroup, base_name, gathered, grouped, seed_groups};
pub use set::set;
pub use settings::{DIRECTIONS, DRAWS, SAMPLES, settings};
pub use standing::{Chance, against_chance, standing};
pub use statistics::{Statistics, geometric_mean, statistics};
pub use thresholds::{THRESHOLDS, thresholds};
pub use unhelped::{most_frequent, unhelped};
pub use verdict::{checks, verdict};
