//! What a reader of an audit should know before quoting it, each with what to do about it.

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
    /// The mean cosine is owed to one unit.
    OneUnitDominates {
        /// Which.
        unit: String,
        /// The mean over all units.
        mean: f64,
        /// The mean without it.
        without: f64,
    },
    /// The reference gradient cannot be relied upon at some units.
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
    /// Only the log was read; nothing was measured anew.
    LogOnly {
        /// Why.
        why: String,
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
        units: Vec<String>,
    },
}

impl Warning {
    /// What is the matter, a sentence without its end.
    pub fn message(&self) -> String {
        let list = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Self::TooFewSamples { samples, wanted } => {
                format!("{samples} samples were measured, the protocol is stated for {wanted}")
            }
            Self::SamplesDiffer { samples } => {
                format!(
                    "what stands side by side was measured on different numbers of samples ({})",
                    list(samples)
                )
            }
            Self::OneSeed { groups } => match groups.as_slice() {
                [group] => format!("{group} has a single seed"),
                _ => format!("{} have a single seed each", groups.join(", ")),
            },
            Self::SeedsDiffer { a, b } => {
                format!("{a} and {b} do not have the same seeds; only common ones are paired")
            }
            Self::OneUnitDominates { unit, mean, without } => {
                format!("the mean cosine is owed to {unit}: {mean:.2} with it, {without:.2} without")
            }
            Self::ReferenceUnreliable { units, of } => {
                format!("the reference gradient cannot be relied upon at {units} of {of} units")
            }
            Self::HalfPrecision { tensors } => format!("half precision: {}", tensors.join(", ")),
            Self::SamplesAssumed { samples } => {
                format!("g is the gradient of a mean; N = {samples} was taken from the arrays")
            }
            Self::Missing { tensors, unjudged } => {
                format!("{} not in the dump, so {unjudged}", tensors.join(", "))
            }
            Self::Ignored { tensors } => format!("not read: {}", some(tensors)),
            Self::NotFinite { tensors } => format!("infinite or NaN: {}", some(tensors)),
            Self::HeadDiffers { difference } => format!(
                "the head does not give the dumped logits from h_L (they differ by {:.2}% of their size), so rho and nudge \
                 are left out and the gradient there is not checked",
                100.0 * difference
            ),
            Self::ReductionDiffers { seems, taken } => {
                let of = |samples: u64| match samples {
                    1 => "each sample's own loss".to_owned(),
                    _ => format!("a mean over {samples} samples"),
                };
                format!(
                    "the dumped gradient was taken to be of {}, but at h_L it has the size of one of {}, as head, labels and \
                     h_L give it",
                    of(*taken),
                    of(*seems)
                )
            }
            Self::AccuracyOfSamples { samples } => {
                format!("accuracy is that on the {samples} samples of the dump")
            }
            Self::ReferenceDiffers { cosine, ratio } => format!(
                "the dumped gradient at h_L is not the one that head, labels and h_L give (cosine {cosine:.3}, norms differ by \
                 a factor {ratio:.3})"
            ),
            Self::LogOnly { why } => {
                format!("read from the log alone ({why}); rho, nudge, nulls and consistency are not assessed")
            }
            Self::RecipeChanged => "recipe.toml is not the one that the run was started with".to_owned(),
            Self::Unfinished { epoch, of } => format!("trained {epoch} of {of} epochs"),
            Self::StepEnlarged { step, asked } => {
                format!(
                    "steps for rho are up to {step:e} long, {asked:e} was asked for: rounding at these norms needs it"
                )
            }
            Self::EvidenceDisagrees { units } => format!("evidence disagrees at {}", units.join(", ")),
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::TooFewSamples { .. } => {
                "read the spread beside each mean, and measure more samples where there are more"
            }
            Self::SamplesDiffer { .. } => {
                "compare norms of mean gradients only at equal N; measure them all alike"
            }
            Self::OneSeed { .. } => "train two more seeds before you call a difference real",
            Self::SeedsDiffer { .. } => "train the missing seeds",
            Self::OneUnitDominates { .. } => "report every unit, not the mean",
            Self::ReferenceUnreliable { .. } => {
                "leave these cosines out of any mean; bound the hidden norms (a penalty, no last LayerNorm) and measure again"
            }
            Self::HalfPrecision { .. } => {
                "dump in f32: half precision loses gradients below 6e-8 and digits everywhere"
            }
            Self::SamplesAssumed { .. } => {
                "give --mean-over N if the mean was over another number of samples"
            }
            Self::Missing { .. } => "add it to the dump",
            Self::Ignored { .. } => "rename what should have been read, by docs/foreign-runs.md",
            Self::NotFinite { .. } => {
                "find where it arises first; nothing that was measured there means anything"
            }
            Self::HeadDiffers { .. } => {
                "check what the head reads (another LayerNorm, a mean over positions), or leave head.weight out"
            }
            Self::ReductionDiffers { .. } => {
                "save gradients of a mean as g.*, with --mean-over where it is not over all rows, and those of each sample's \
                 own loss (reduction=\"sum\") as p.*; until then believe no norm of them"
            }
            Self::AccuracyOfSamples { .. } => {
                "give --accuracy, of the same test set as that of the frozen baseline"
            }
            Self::ReferenceDiffers { .. } => {
                "check what the gradient is of (each sample's own loss, or a mean) and where its hook sits"
            }
            Self::LogOnly { .. } => {
                "keep checkpoint.safetensors in the run directory and the data in place for a full audit"
            }
            Self::RecipeChanged => "restore it: thresholds may have moved, and everything else with them",
            Self::Unfinished { .. } => "judge it again when it has come to its end",
            Self::StepEnlarged { .. } => "nothing, if rho of the true gradient is near 1",
            Self::EvidenceDisagrees { .. } => "trust none of it alone; the notes beneath the table say which",
        }
    }
}

/// The first names of a list, and how many more there are: a file may hold thousands.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let first = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN { format!("{first} and {} more", names.len() - SHOWN) } else { first }
}
