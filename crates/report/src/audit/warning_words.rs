//! The warnings in words, each with what to do about it.

use crate::show::{self, unit_names};
use record::Remedy;
use record::audit::Warning;

/// What is the matter, a sentence without its end.
pub fn message(warning: &Warning) -> String {
    match warning {
        Warning::TooFewSamples { samples, wanted } => {
            format!("{samples} samples were measured, the protocol is stated for {wanted}")
        }
        Warning::SamplesDiffer { samples } => {
            format!("these audits were measured on different numbers of samples ({})", list(samples))
        }
        Warning::OneSeed { groups } => match groups.as_slice() {
            [group] => format!("{group} has a single seed"),
            _ => format!("{} have a single seed each", groups.join(", ")),
        },
        Warning::SeedsDiffer { a, b } => {
            format!("{a} and {b} do not have the same seeds; only common ones are paired")
        }
        Warning::OneUnitDominates { .. }
        | Warning::ReferenceUnreliable { .. }
        | Warning::EvidenceDisagrees { .. } => {
            let (thought, what) = particular(warning).unwrap_or_default();
            format!("{thought}: {what}")
        }
        Warning::HalfPrecision { tensors } => format!("half precision: {}", tensors.join(", ")),
        Warning::SamplesAssumed { samples } => {
            format!("g is the gradient of a mean; N = {samples} was taken from the arrays")
        }
        Warning::Missing { tensors, unjudged } => {
            format!("{} not in the dump, so {unjudged}", tensors.join(", "))
        }
        Warning::Ignored { tensors } => format!("not read: {}", some(tensors)),
        Warning::NotFinite { tensors } => format!("infinite or NaN: {}", some(tensors)),
        Warning::HeadDiffers { difference } => format!(
            "the head does not give the dumped logits from h_L (they differ by {:.2}% of their size), so rho and nudge \
             are left out and the gradient there is not checked",
            100.0 * difference
        ),
        Warning::ReductionDiffers { seems, taken } => {
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
        Warning::AccuracyOfSamples { samples } => {
            format!("accuracy is that on the {samples} samples that were measured")
        }
        Warning::ReferenceDiffers { cosine, ratio } => format!(
            "the dumped gradient at h_L is not that of the cross-entropy that head, labels and h_L give (cosine {cosine:.3}, norms differ by \
             a factor {ratio:.3})"
        ),
        Warning::ReferenceContradicted { states, rho } => format!(
            "the dumped reference is not the gradient of this forward pass at {}: it does not predict the measured loss \
             changes (rho {rho:.3}, for a gradient 1)",
            state_names(states)
        ),
        Warning::LossDiffers { cosine } => format!(
            "the loss is not the cross-entropy that head and labels give: measured changes confirm the dumped gradient at h_L, \
             and its cosine with that of the cross-entropy is {cosine:.3}; rho is taken from the measured changes, and nudges are \
             left out"
        ),
        Warning::NothingCompared => {
            "nothing was compared: credit and reference are the same numbers at every unit below the \
                                     last, and nothing shows that they are the gradient"
                .to_owned()
        }
        Warning::LossChangesRounded { states } => format!(
            "the loss changes at {} take few different values, so rounding has eaten them; they were left aside",
            state_names(states)
        ),
        Warning::GradientJumps { unit, factor } => format!(
            "the reference changes by a factor of {} over {unit}: a stream that blows up does that, and so does a custom \
             backward pass whose credit was saved as the gradient",
            show::scientific(*factor)
        ),
        Warning::DirectFeedback { units } => format!(
            "direct feedback: the credit of {} is a fixed linear image of the error at the output, so chance is fresh \
             feedback there",
            unit_names(units)
        ),
        Warning::LogOnly { why } => {
            format!(
                "read from the log alone ({why}); rho, nudge and chance, where shown, are over the few samples that the run \
                 itself audited, and consistency is not assessed"
            )
        }
        Warning::Elsewhere { by, measured } => {
            let kept = if *measured { "its log and the audit at its end" } else { "its log" };
            format!("trained elsewhere, by {by}, and judged by what was kept of it: {kept}")
        }
        Warning::TooFewDraws { draws } => format!(
            "{draws} draws of chance: a value that is itself chance falls outside their band in {:.0} % of cases",
            200.0 / (draws + 1) as f64
        ),
        Warning::Stopped { reason } => format!("the run broke off: {reason}"),
        Warning::MidEpoch { epoch, step } => {
            format!(
                "the weights are those of step {step} after epoch {epoch}, the accuracy is that of epoch {epoch}"
            )
        }
        Warning::RecipeChanged => "recipe.toml is not the one that the run was started with".to_owned(),
        Warning::Unfinished { epoch, of } if epoch >= of => {
            format!("not yet at its end, after epoch {epoch}")
        }
        Warning::Unfinished { epoch, of } => format!("trained {epoch} of {of} epochs"),
        Warning::StepEnlarged { step, asked } => {
            format!(
                "steps for rho are up to {step:e} long, {asked:e} was asked for: rounding at these norms needs it"
            )
        }
    }
}

/// The thought behind a warning that several groups can share, and what is particular about one of them.
pub(super) fn particular(warning: &Warning) -> Option<(&'static str, String)> {
    match warning {
        Warning::OneUnitDominates { unit, mean, without } => Some((
            "one unit gives most of the mean cosine at the input of blocks",
            format!("{unit} ({mean:.2} with it, {without:.2} without)"),
        )),
        Warning::ReferenceUnreliable { units, of } => {
            Some(("the reference gradient is unreliable", format!("at {units} of {of} units")))
        }
        Warning::EvidenceDisagrees { units } => {
            Some(("evidence disagrees", format!("at {}", unit_names(units))))
        }
        _ => None,
    }
}

/// What to do about it, and the setting that helps.
pub fn advice(warning: &Warning) -> (&'static str, Option<Remedy>) {
    match warning {
        Warning::TooFewSamples { .. } => (
            "read the spread with each mean, and measure more samples if there are more",
            Some(Remedy::Samples),
        ),
        Warning::SamplesDiffer { .. } => {
            ("compare norms of mean gradients only at equal N; measure them all alike", Some(Remedy::Samples))
        }
        Warning::OneSeed { .. } => ("train two more seeds before you call a difference real", None),
        Warning::SeedsDiffer { .. } => ("train the missing seeds", None),
        Warning::OneUnitDominates { .. } => ("report every unit, not the mean", None),
        Warning::ReferenceUnreliable { .. } => (
            "leave these cosines out of any mean; measure the run itself, or dump gradients in f64, since f32 alone cannot confirm \
             them",
            None,
        ),
        Warning::HalfPrecision { .. } => {
            ("dump in f32: half precision loses gradients below 6e-8 and digits everywhere", None)
        }
        Warning::SamplesAssumed { .. } => {
            ("state N if the mean was over another number of samples", Some(Remedy::GiveMeanOver))
        }
        Warning::Missing { .. } => ("add it to the dump", None),
        Warning::Ignored { .. } => ("rename what should have been read, by docs/foreign-runs.md", None),
        Warning::NotFinite { .. } => {
            ("find where it arises first; nothing measured there means anything", None)
        }
        Warning::HeadDiffers { .. } => (
            "check what the head reads (another LayerNorm, a mean over positions), or leave head.weight out",
            None,
        ),
        Warning::ReductionDiffers { .. } => (
            "save gradients of a mean as g.*, stating N where it is not the number of rows, and those of each sample's own \
             loss (reduction=\"sum\") as p.*; until then their norms are unreliable",
            Some(Remedy::GiveMeanOver),
        ),
        Warning::AccuracyOfSamples { .. } => (
            "state the accuracy on the whole test set, as that of the frozen baseline is",
            Some(Remedy::GiveAccuracy),
        ),
        Warning::ReferenceDiffers { .. } => (
            "check where its hook sits and what backward pass it comes from; with another loss than cross-entropy leave \
             head.weight out, and save measured loss changes instead",
            None,
        ),
        Warning::ReferenceContradicted { .. } => (
            "take the gradient from a plain model with the same weights, since the backward pass of a custom Function is the \
             rule's credit; where the gradient is right, measure loss changes with shorter steps in f64",
            None,
        ),
        Warning::NothingCompared => (
            "take the reference from a plain model with the same weights, or save measured loss changes (v.*, dl.*), which show \
             that it is the gradient; where the rule is backpropagation, save rule = \"bp\"",
            None,
        ),
        Warning::LossDiffers { .. } => ("nothing, if that is the loss you mean; leave head.weight out", None),
        Warning::LossChangesRounded { .. } => ("measure them in f64, or with longer steps", None),
        Warning::GradientJumps { .. } => {
            ("save measured loss changes (v.*, dl.*): they show whether it is the gradient", None)
        }
        Warning::DirectFeedback { .. } => ("nothing: it tells which chance is the right one", None),
        Warning::LogOnly { .. } => {
            ("keep checkpoint.safetensors in the run directory and the data in place for a full audit", None)
        }
        Warning::Elsewhere { .. } => {
            ("to measure more, probe the model where it is; what it was trained with is not on record", None)
        }
        Warning::TooFewDraws { .. } => ("draw 20 or more", Some(Remedy::Draws)),
        Warning::Stopped { .. } => {
            ("lower the learning rate, or look at what grew: what it measured before is no pass", None)
        }
        Warning::MidEpoch { .. } => {
            ("continue the run to the end of an epoch and audit it again", Some(Remedy::Resume))
        }
        Warning::RecipeChanged => {
            ("restore it: thresholds may have moved, and everything else with them", None)
        }
        Warning::Unfinished { .. } => ("judge it again when it has ended", Some(Remedy::Resume)),
        Warning::StepEnlarged { .. } => ("nothing, if rho of the true gradient is near 1", None),
        Warning::EvidenceDisagrees { .. } => {
            ("trust none of it alone; the notes on each unit say which", None)
        }
    }
}

/// `h_0 and h_2`.
fn state_names(states: &[u64]) -> String {
    show::list(&states.iter().map(|l| format!("h_{l}")).collect::<Vec<_>>())
}

/// All of a list.
fn list<T: ToString>(things: &[T]) -> String {
    things.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

/// The first names of a list, and how many more there are: a file may hold thousands.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let first = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN { format!("{first} and {} more", names.len() - SHOWN) } else { first }
}
