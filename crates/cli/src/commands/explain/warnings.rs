//! The warnings of an audit, by the names that they have in `audit.json`. What to do about each is said where pages say it.

use super::topic::Topic;
use record::Unit;
use record::audit::Warning;
use std::sync::LazyLock;

pub(super) static TOPICS: LazyLock<Vec<Topic>> = LazyLock::new(|| {
    vec![
        Topic::warning(
            "too few samples",
            "fewer samples than the protocol is stated for",
            "The limits were calibrated on 1280 test samples. Fewer make every mean less certain and every null wider.",
            &Warning::TooFewSamples { samples: 0, wanted: 0 },
        ),
        Topic::warning(
            "samples differ",
            "unequal numbers of samples side by side",
            "Norms of a mean gradient shrink with N, so that values at different N cannot be compared.",
            &Warning::SamplesDiffer { samples: Vec::new() },
        ),
        Topic::warning(
            "one seed",
            "a group of a single seed",
            "One seed has no deviation. Feedback and weights are drawn once, and may be lucky.",
            &Warning::OneSeed { groups: Vec::new() },
        ),
        Topic::warning(
            "seeds differ",
            "two groups with different seeds",
            "Differences are taken seed by seed, so only seeds that both groups have are used.",
            &Warning::SeedsDiffer { a: String::new(), b: String::new() },
        ),
        Topic::warning(
            "one unit dominates",
            "a mean cosine that comes mostly from one unit",
            "Without that unit the mean is much smaller. Layer 0 in DFA and the last block in FA are the usual ones.",
            &Warning::OneUnitDominates { unit: Unit::Embed, mean: 0.0, without: 0.0 },
        ),
        Topic::warning(
            "reference unreliable",
            "an unreliable reference at some units",
            "At these units cosines are in brackets, and their standing is that they cannot be judged: their digits are not confirmed.",
            &Warning::ReferenceUnreliable { units: 0, of: 0 },
        ),
        Topic::warning(
            "half precision",
            "tensors in half precision",
            "fp16 has nothing below 6e-8, where healthy gradients of a mean can already be, and three digits everywhere.",
            &Warning::HalfPrecision { tensors: Vec::new() },
        ).also(&["fp16", "bf16", "f16"]),
        Topic::warning(
            "samples assumed",
            "the N of a mean gradient was taken from the arrays",
            "g is the gradient of a mean. If the mean was over another number of samples than the arrays hold, every \
         gradient norm is wrong by that factor.",
            &Warning::SamplesAssumed { samples: 0 },
        ),
        Topic::warning(
            "missing",
            "something that a dump does not hold",
            "What depends on it was not judged, and the warning says what that is.",
            &Warning::Missing { tensors: Vec::new(), unjudged: String::new() },
        ),
        Topic::warning(
            "reference differs",
            "the dumped gradient is not the one that the head gives",
            "From head, labels and last state the gradient at h_L can be computed. The dumped one is another.",
            &Warning::ReferenceDiffers { cosine: 0.0, ratio: 0.0 },
        ),
        Topic::warning(
            "log only",
            "judged from the log alone",
            "D1, D2, D3 and cosines are in the log, and perhaps ρ, nudge and nulls of the last epoch, over fewer samples. \
         Consistency and all else need the checkpoint and the data.",
            &Warning::LogOnly { why: String::new() },
        ).also(&["log", "--log"]),
        Topic::warning(
            "unfinished",
            "a run that has not ended",
            "Accuracy and verdict are those of the last epoch so far.",
            &Warning::Unfinished { epoch: 0, of: 0 },
        ),
        Topic::warning(
            "step enlarged",
            "longer steps for ρ than asked for",
            "At large hidden norms a step of 1e-3 is lost in rounding, so a longer one was taken.",
            &Warning::StepEnlarged { step: 0.0, asked: 0.0 },
        ),
        Topic::warning(
            "evidence disagrees",
            "cosine, ρ and nudge do not say the same",
            "At the units named, some evidence beats chance and some does not.",
            &Warning::EvidenceDisagrees { units: Vec::new() },
        ),
        Topic::warning(
            "ignored",
            "tensors that the layout of a dump does not know",
            "They were left unread. If one of them is a misspelt name, something was not judged for want of it.",
            &Warning::Ignored { tensors: Vec::new() },
        ).also(&["unknown tensor"]),
        Topic::warning(
            "head differs",
            "a dumped head that does not give the dumped logits",
            "head(out_ln(h_L)) should be the logits. Where it is not, there is something between h_L and the head, and rho through \
         that head would be about another network.",
            &Warning::HeadDiffers { difference: 0.0 },
        ),
        Topic::warning(
            "reduction differs",
            "a gradient reduced over another N than it was taken for",
            "The dumped gradient at h_L has the direction that head and labels give, but the size of a mean over another N: a mean \
         saved as p, say, is too small by that factor, and D2 would fire for no reason.",
            &Warning::ReductionDiffers { seems: 0, taken: 0 },
        ),
        Topic::warning(
            "accuracy of samples",
            "accuracy taken from the dumped logits",
            "No accuracy was given, so the share of dumped samples that are classified right is used in its place.",
            &Warning::AccuracyOfSamples { samples: 0 },
        ),
        Topic::warning(
            "recipe changed",
            "a recipe.toml that was changed since the run started",
            "Its hash is not the one in run.json. Thresholds may have been moved since, and everything else with them.",
            &Warning::RecipeChanged,
        ),
        Topic::warning(
            "too few draws",
            "a band of chance made of few draws",
            "Of n + 1 values that are all chance, one is the smallest or the largest in 2/(n + 1) of cases. With 20 draws that is one \
         in ten, with 3 every second.",
            &Warning::TooFewDraws { draws: 0 },
        ),
        Topic::warning(
            "stopped",
            "a run that broke off",
            "Its loss became infinite or NaN. Whatever was measured before, D1 and D2 count as fired: the stream or the gradient left \
         the range of numbers.",
            &Warning::Stopped { reason: String::new() },
        ).also(&["broke off"]),
        Topic::warning(
            "mid epoch",
            "weights that are later than the logged accuracy",
            "The run was interrupted within an epoch and saved there. Test accuracy is measured at the end of an epoch, so it belongs \
         to earlier weights than the rest.",
            &Warning::MidEpoch { epoch: 0, step: 0 },
        ),
    ]
});
