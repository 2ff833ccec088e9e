//! What a reader of an audit should know before quoting it.

use crate::Unit;
use serde::{Deserialize, Serialize};

/// Something that limits what an audit can say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "warning", rename_all = "snake_case", deny_unknown_fields)]
pub enum Warning {
    /// Fewer samples than the protocol is stated for.
    TooFewSamples {
        /// How many there are.
        samples: u64,
        /// How many it wants.
        wanted: u64,
    },
    /// Audits or dumps side by side are over different numbers of samples.
    SamplesDiffer {
        /// The numbers.
        samples: Vec<u64>,
    },
    /// Groups that have only one seed.
    OneSeed {
        /// Which.
        groups: Vec<String>,
    },
    /// Two groups do not have the same seeds, so only the common ones are paired.
    SeedsDiffer {
        /// One group.
        a: String,
        /// The other.
        b: String,
    },
    /// One unit gives most of the mean cosine.
    OneUnitDominates {
        /// Which.
        unit: Unit,
        /// The mean over all units.
        mean: f64,
        /// The mean without it.
        without: f64,
    },
    /// The reference gradient is unreliable at some units.
    ReferenceUnreliable {
        /// At how many.
        units: u64,
        /// Of how many.
        of: u64,
    },
    /// Tensors came in half precision.
    HalfPrecision {
        /// Their names.
        tensors: Vec<String>,
    },
    /// Gradients were given as those of a mean, and the number of samples was taken from the arrays.
    SamplesAssumed {
        /// That number.
        samples: u64,
    },
    /// Something is missing from a dump, so that something was not judged.
    Missing {
        /// What is missing.
        tensors: Vec<String>,
        /// What could not be judged without it.
        unjudged: String,
    },
    /// A dump holds tensors that the layout does not know.
    Ignored {
        /// Their names, with what they may have been meant as.
        tensors: Vec<String>,
    },
    /// Tensors of a dump hold infinity or NaN.
    NotFinite {
        /// Their names, and in how many rows.
        tensors: Vec<String>,
    },
    /// The dumped head does not give the dumped logits from the last state, and was left aside.
    HeadDiffers {
        /// Difference of the logits, as a share of their size.
        difference: f64,
    },
    /// The dumped reference has the size of a gradient that is reduced over another number of samples.
    ReductionDiffers {
        /// Samples that it seems to be a mean over; 1 for each sample's own loss.
        seems: u64,
        /// Samples that it was taken to be a mean over.
        taken: u64,
    },
    /// Accuracy was not given, and was taken from the logits of the dump.
    AccuracyOfSamples {
        /// Over how many samples.
        samples: u64,
    },
    /// The dumped reference is not the gradient that head, labels and last state give.
    ReferenceDiffers {
        /// Mean cosine between the two.
        cosine: f64,
        /// Median of the ratio of their norms.
        ratio: f64,
    },
    /// The dumped reference does not predict the loss changes that were measured around some states.
    ReferenceContradicted {
        /// Which states.
        states: Vec<u64>,
        /// The smallest ρ of the reference there; that of a gradient is 1.
        rho: f64,
    },
    /// Measured loss changes confirm the dumped gradient at the last state, and the cross-entropy that head and labels give has
    /// another: the head was left aside.
    LossDiffers {
        /// Mean cosine between the two.
        cosine: f64,
    },
    /// Credit and reference are the same numbers below the last unit, and nothing shows that they are the gradient.
    NothingCompared,
    /// Measured loss changes hold few different values: rounding has eaten them, and they were left aside.
    LossChangesRounded {
        /// At which states.
        states: Vec<u64>,
    },
    /// The reference changes its size over one block by a factor that hooks on a custom backward pass can cause, as can a stream
    /// that has blown up.
    GradientJumps {
        /// Which block.
        unit: Unit,
        /// The factor, above 1.
        factor: f64,
    },
    /// The credit of some units is a fixed linear image of the error at the output.
    DirectFeedback {
        /// Which units.
        units: Vec<Unit>,
    },
    /// Only the log was read; nothing was measured again.
    LogOnly {
        /// Why.
        why: String,
    },
    /// Another program trained the run, and this one watched.
    Elsewhere {
        /// Which.
        by: String,
        /// Whether the network was measured at the end, beside what the log holds.
        measured: bool,
    },
    /// So few draws of chance that a place outside their band says little.
    TooFewDraws {
        /// How many.
        draws: u64,
    },
    /// The run broke off for a reason that training on cannot mend.
    Stopped {
        /// The reason.
        reason: String,
    },
    /// The checkpoint was saved within an epoch: the weights are later than the logged accuracy.
    MidEpoch {
        /// Epochs completed.
        epoch: u64,
        /// Steps taken since.
        step: u64,
    },
    /// `recipe.toml` was changed after the run started, thresholds perhaps.
    RecipeChanged,
    /// The run has not come to its end.
    Unfinished {
        /// Epochs trained.
        epoch: u64,
        /// Epochs asked for.
        of: u64,
    },
    /// Steps for ρ are longer than asked for, because rounding needs it.
    StepEnlarged {
        /// The longest.
        step: f64,
        /// What was asked for.
        asked: f64,
    },
    /// Evidence at some units disagrees.
    EvidenceDisagrees {
        /// Which units.
        units: Vec<Unit>,
    },
}
