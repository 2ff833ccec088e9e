//! What the evidence at a unit can add up to.

use super::topic::Topic;

pub(super) const TOPICS: &[Topic] = &[
    Topic::short(
        "useful",
        "credit that can be trusted",
        "The cosine and at least one of ρ and nudge were compared with chance at this unit, and all that were beat it. \
         This goes for bp and the last block of fa as well: labels can be permuted for every rule.",
        "Nothing. This is what credit should look like.",
    ).also(&["✓"]),
    Topic::short(
        "mixed",
        "evidence that disagrees",
        "Some of cosine, ρ and nudge beat chance at this unit, some do not.",
        "Read the notes on the page of a single rule, or with --layers, which say which. Trust none of it alone; more samples narrow the bands.",
    ),
    Topic::short(
        "chance",
        "credit that is no better than chance",
        "Neither cosine nor ρ nor nudge beats what fresh feedback or permuted labels give (`creditscope explain null`).",
        "The unit is not taught by this credit. See what D3 says about the blocks as a whole.",
    ).also(&["·"]),
    Topic::short(
        "misleading",
        "credit that points the wrong way",
        "None of cosine, ρ and nudge beats chance, and at least one is worse than every draw: the credit points away \
         from the gradient, or following it raises the loss.",
        "Look for a sign or a transpose first: consistency names them. If the credit is what it should be, the rule \
         harms this unit.",
    ).also(&["✗"]),
    Topic::short(
        "unconfirmed",
        "a cosine without other evidence",
        "Only the cosine speaks for it: ρ and nudge were not measured here, or no null was drawn to compare it with. In \
         a dump all units but the last are like this, since the rest of the network is not in it.",
        "Give the dump the head and the labels, or audit the run itself and not its log.",
    ),
    Topic::short(
        "cannot be judged",
        "no reference to judge by",
        "The true gradient means nothing at this unit: it is below the floor of D2, or cannot be computed to the \
         digits needed. The credit may be good or bad; this does not show it.",
        "Bound the hidden norms (a penalty, no last LayerNorm) and measure again. Do not count the unit as aligned, nor \
         as failed.",
    ).also(&["cannot judge", "cannot_be_judged", "?"]),
    Topic::short(
        "dead",
        "no credit arrives",
        "The credit of this unit is zero, or so small that its digits are lost.",
        "Look for a detached tensor, fp16 underflow or a missing matrix; a dead unit does not learn.",
    ),
    Topic::short(
        "broken",
        "infinite or not a number",
        "State, gradient or credit of this unit holds an infinity or a NaN.",
        "Find the first epoch at which it happened (`creditscope runs show`), and lower the learning rate or bound the \
         norms.",
    ),
];
