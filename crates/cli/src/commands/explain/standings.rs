//! What the evidence at a unit can add up to.

use super::topic::Topic;

pub(super) const TOPICS: &[Topic] = &[
    Topic::short(
        "useful",
        "credit that beats chance and is large enough to matter",
        "The cosine and at least one of ρ and nudge were compared with chance at this unit, and all that were beat it; \
         the cosine is at least protocol.useful (.1), and the nudge at least that share of what the true gradient's own \
         nudge gives. The same goes for `run`, `demo` and `audit`.",
        "See whether the unit is inert besides (`creditscope explain inert`). Otherwise this is what credit should look \
         like.",
    ).also(&["✓"]),
    Topic::short(
        "detectable",
        "credit that beats chance, but is small",
        "All that was compared with chance beat it, but the cosine is below protocol.useful (.1), or the nudge is below \
         that share of the true gradient's own, or no nudge was measured. With enough samples any trace of the gradient \
         beats chance; that does not make it worth following.",
        "Do not call it aligned. Quote the cosine with its band and the nudge with that of the gradient.",
    ),
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
        "no reliable number to judge by",
        "The cosine does not exist, or the numbers behind it are unreliable: f32 and f64 give different gradients, or the \
         gradient is below the floor of D2 and is known in f32 alone, from a log or a dump. A small gradient that f64 \
         confirms is judged like any other. Where ρ or nudge beat chance all the same, a note says so; the standing \
         needs the cosine too.",
        "Audit the run with its checkpoint, or dump gradients in f64. Do not count the unit as aligned, nor as failed.",
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
