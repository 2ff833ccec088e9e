//! The warnings of an audit, by the names that they have in `audit.json`.

use super::topic::Topic;

pub(super) const TOPICS: &[Topic] = &[
    Topic::short(
        "too few samples",
        &[],
        "fewer samples than the protocol is stated for",
        "The limits were calibrated on 1280 test samples. Fewer make every mean less certain and every null wider.",
        "Read the spread with each mean, and measure more samples if there are more (--samples).",
    ),
    Topic::short(
        "samples differ",
        &[],
        "unequal numbers of samples side by side",
        "Norms of a mean gradient shrink with N, so that values at different N cannot be compared.",
        "Measure them all alike; compare ‖g‖ only at equal N.",
    ),
    Topic::short(
        "one seed",
        &[],
        "a group of a single seed",
        "One seed has no deviation. Feedback and weights are drawn once, and may be lucky.",
        "Train two more seeds before you call a difference real.",
    ),
    Topic::short(
        "seeds differ",
        &[],
        "two groups with different seeds",
        "Differences are taken seed by seed, so only seeds that both groups have are used.",
        "Train the missing seeds.",
    ),
    Topic::short(
        "one unit dominates",
        &[],
        "a mean cosine that comes mostly from one unit",
        "Without that unit the mean is much smaller. Layer 0 in DFA and the last block in FA are the usual ones.",
        "Report every unit, not the mean.",
    ),
    Topic::short(
        "reference unreliable",
        &[],
        "an unreliable reference at some units",
        "At these units cosines are in brackets, and their standing is that they cannot be judged.",
        "Leave them out of any mean; bound the hidden norms and measure again.",
    ),
    Topic::short(
        "half precision",
        &["fp16", "bf16", "f16"],
        "tensors in half precision",
        "fp16 has nothing below 6e-8, where healthy gradients of a mean can already be, and three digits everywhere.",
        "Dump in f32.",
    ),
    Topic::short(
        "samples assumed",
        &[],
        "the N of a mean gradient was taken from the arrays",
        "g is the gradient of a mean. If the mean was over another number of samples than the arrays hold, every \
         gradient norm is wrong by that factor.",
        "Give --mean-over N.",
    ),
    Topic::short(
        "missing",
        &[],
        "something that a dump does not hold",
        "What depends on it was not judged, and the warning says what that is.",
        "Add it to the dump.",
    ),
    Topic::short(
        "reference differs",
        &[],
        "the dumped gradient is not the one that the head gives",
        "From head, labels and last state the gradient at h_L can be computed. The dumped one is another.",
        "Check what it is the gradient of (each sample's own loss, or a mean) and where its hook sits.",
    ),
    Topic::short(
        "log only",
        &["log", "--log"],
        "judged from the log alone",
        "D1, D2, D3 and cosines are in the log, and perhaps ρ, nudge and nulls of the last epoch, over fewer samples. \
         Consistency and all else need the checkpoint and the data.",
        "Keep checkpoint.safetensors in the run directory and the data in place, and audit without --log.",
    ),
    Topic::short(
        "unfinished",
        &[],
        "a run that has not ended",
        "Accuracy and verdict are those of the last epoch so far.",
        "Judge it again when it has ended.",
    ),
    Topic::short(
        "step enlarged",
        &[],
        "longer steps for ρ than asked for",
        "At large hidden norms a step of 1e-3 is lost in rounding, so a longer one was taken.",
        "Nothing, if ρ of the true gradient is near 1.",
    ),
    Topic::short(
        "evidence disagrees",
        &[],
        "cosine, ρ and nudge do not say the same",
        "At the units named, some evidence beats chance and some does not.",
        "Trust none of it alone; the notes on the page of a single rule, or with --layers, say which.",
    ),
    Topic::short(
        "ignored",
        &["unknown tensor"],
        "tensors that the layout of a dump does not know",
        "They were left unread. If one of them is a misspelt name, something was not judged for want of it.",
        "Rename it as the message suggests; docs/foreign-runs.md lists the names.",
    ),
    Topic::short(
        "head differs",
        &[],
        "a dumped head that does not give the dumped logits",
        "head(out_ln(h_L)) should be the logits. Where it is not, there is something between h_L and the head, and rho through \
         that head would be about another network.",
        "Dump the LayerNorm before the head as out_ln.*, or leave the head out where it reads something else.",
    ),
    Topic::short(
        "reduction differs",
        &[],
        "a gradient reduced over another N than it was taken for",
        "The dumped gradient at h_L has the direction that head and labels give, but the size of a mean over another N: a mean \
         saved as p, say, is too small by that factor, and D2 would fire for no reason.",
        "Save the gradient of the sum of the losses as p, or of the mean as g with --mean-over N.",
    ),
    Topic::short(
        "accuracy of samples",
        &[],
        "accuracy taken from the dumped logits",
        "No accuracy was given, so the share of dumped samples that are classified right is used in its place.",
        "Give the accuracy on the whole test set with --accuracy.",
    ),
    Topic::short(
        "recipe changed",
        &[],
        "a recipe.toml that was changed since the run started",
        "Its hash is not the one in run.json. Thresholds may have been moved since, and everything else with them.",
        "Restore it.",
    ),
    Topic::short(
        "too few draws",
        &[],
        "a band of chance made of few draws",
        "Of n + 1 values that are all chance, one is the smallest or the largest in 2/(n + 1) of cases. With 20 draws that is one \
         in ten, with 3 every second.",
        "Draw 20 or more (--draws, audit.draws).",
    ),
    Topic::short(
        "stopped",
        &["broke off"],
        "a run that broke off",
        "Its loss became infinite or NaN. Whatever was measured before, D1 and D2 count as fired: the stream or the gradient left \
         the range of numbers.",
        "Lower the learning rate, or look at what grew in `creditscope runs show`.",
    ),
    Topic::short(
        "mid epoch",
        &[],
        "weights that are later than the logged accuracy",
        "The run was interrupted within an epoch and saved there. Test accuracy is measured at the end of an epoch, so it belongs \
         to earlier weights than the rest.",
        "Continue the run to the end of an epoch with --resume, and audit it again.",
    ),
];
