//! Why a number is unreliable or does not exist.

use super::topic::Topic;

pub(super) const TOPICS: &[Topic] = &[
    Topic::short(
        "reference below floor",
        "unreliable: a small gradient that only f32 gives",
        "‖g‖ at this state, for N = 128, is below protocol.floor (1e-7), and there is no f64 gradient to confirm it: a \
         log without an audit after its last epoch, or a dump whose gradients are not in f64.",
        "Audit the run with its checkpoint, or dump gradients in f64. Until then leave the number out of every mean.",
    ),
    Topic::short(
        "precisions disagree",
        "unreliable: f32 and f64 give different gradients",
        "The gradient computed in f32 and the one in f64 have a mean cosine below .99, so training did not see the \
         gradient that is measured.",
        "Bound the norms, or train in higher precision.",
    ),
    Topic::short(
        "samples left out",
        "unreliable: some samples get no credit",
        "The credit of some samples vanished although they have a gradient, so that they have no cosine and are not in the \
         mean. Samples without error have neither and are simply not counted.",
        "See whether their activations are all dead, or half precision has lost their credit.",
    ),
    Topic::short(
        "rounding",
        "undefined: rounding hides what was to be measured",
        "The loss is a number of some 1e-16 relative precision. Here the change that a small step makes is less than a \
         hundred times its rounding, even with the longest step that is still small.",
        "Nothing at this state. The hidden norm is too large for its effect on the loss.",
    ),
    Topic::short(
        "loss unmoved",
        "undefined: the loss does not change",
        "Whichever way the state moves, the loss stays the same to the last digit. There is nothing to correlate with.",
        "See ‖g‖: it is zero, or nearly so.",
    ),
    Topic::short(
        "state constant",
        "undefined: every sample has the same state",
        "The state does not vary from sample to sample, so it spreads over no direction.",
        "See whether the units below are dead, or a LayerNorm has cut them off.",
    ),
    Topic::short(
        "not trained",
        "undefined: the unit stays as it was drawn",
        "Its parameters are outside the optimiser, so that there is no update to compare.",
        "Nothing: rule.frozen or rule.trainable_last says so, or the network has nothing to train.",
    ),
    Topic::short(
        "no counterpart",
        "undefined: no forward weights to compare feedback with",
        "The rule's feedback replaces a weight elsewhere, or one of the two is zero.",
        "Nothing: see the units that have an angle.",
    ),
    Topic::short(
        "credit vanished",
        "undefined: the credit is zero",
        "Zero, or so small that its digits are lost. It has no direction.",
        "See `creditscope explain dead`.",
    ),
    Topic::short(
        "reference vanished",
        "undefined: the gradient is zero",
        "Zero, or so small that its digits are lost. There is nothing to compare with.",
        "See whether the task is solved (‖e_T‖), the unit is cut off, or half precision has lost it.",
    ),
    Topic::short(
        "not finite",
        "undefined: infinity or NaN",
        "Credit or gradient holds a number that is infinite or not a number.",
        "See `creditscope explain broken`.",
    ),
];
