//! How the loss changes behind ρ and nudge were found.

use crate::{Unit, number};
use serde::{Deserialize, Serialize};

/// Differences that were carried through the layers, held against whole f64 passes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Carried {
    /// Loss changes that were found both ways.
    pub compared: u64,
    /// The largest difference at a state, as a share of the changes there.
    #[serde(with = "number")]
    pub largest: f64,
    /// Units at whose states the difference was too large, so that whole passes took their place.
    pub replaced: Vec<Unit>,
}
