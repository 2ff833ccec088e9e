//! What a dump lacks, and what therefore cannot be judged, in one sentence.

use super::overview::Overview;
use crate::dump::Dump;
use record::audit::Warning;

/// The warning that names everything missing; none if everything was judged.
pub(super) fn missing(dump: &Dump, overview: &Overview) -> Option<Warning> {
    let no_states = dump.hidden.is_empty();
    let no_gradients = dump.gradients.is_none();
    let no_embed = dump.credit.embed.is_none();
    let no_blocks = dump.credit.blocks.is_empty() && dump.blocks > 0;
    let no_error = overview.error.is_none();
    // A head that does not give the logits is not missing, and has its own warning.
    let no_loss = no_states || dump.labels.is_none() || dump.head.is_none();
    let tensors = [
        (no_states, "h.*"),
        (no_gradients, "p.* or g.*"),
        (no_embed, "a.embed"),
        (no_blocks, "a.0 …"),
        (dump.labels.is_none(), "labels"),
        (dump.logits.is_none() && no_error, "logits"),
        (dump.head.is_none(), "head.weight"),
    ];
    let unjudged = [
        (no_states, "growth (D1)"),
        (no_gradients && overview.computed.is_none(), "the reference (D2), cosines"),
        (no_gradients && overview.computed.is_some(), "cosines below h_L"),
        (no_embed && no_blocks, "credit"),
        (no_embed && !no_blocks, "the embedding's credit"),
        (no_blocks && !no_embed, "the credit of blocks"),
        (no_error, "whether the task is solved"),
        (no_loss && !(no_embed && no_blocks), "rho and nudge at h_L"),
        (no_loss && !no_gradients, "whether p is the gradient at h_L"),
    ];
    let chosen = |list: &[(bool, &str)]| -> Vec<String> {
        list.iter().filter(|(is, _)| *is).map(|(_, name)| (*name).to_owned()).collect()
    };
    let tensors = chosen(&tensors);
    let unjudged = chosen(&unjudged);
    let sentence = match unjudged.as_slice() {
        [] => return None,
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    Some(Warning::Missing { tensors, unjudged: format!("nothing is said about {sentence}") })
}
