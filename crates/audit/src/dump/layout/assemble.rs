//! Assembles tensors into a dump: layers and widths must agree, and an error names what does not.

use super::head::{classes, head};
use super::labels::labels;
use super::loss_changes::loss_changes;
use super::name::TensorRole;
use super::rows::{NamedRows, SampleCount};
use super::tensors::Tensors;
use super::{About, Credit, Dump, DumpRows, Gradients, Loss, Origin};
use crate::dump::DumpFault;

/// Checks that the tensors fit together.
pub(crate) fn assemble(mut tensors: Tensors, origin: Origin) -> Result<Dump, DumpFault> {
    let half = tensors.known.values().filter(|tensor| tensor.element.is_half());
    let half = half.map(|tensor| tensor.name.clone()).collect();
    let is_gradient =
        |role: &TensorRole| matches!(role, TensorRole::Gradient(_) | TensorRole::MeanGradient(_));
    let mut reference = tensors.known.iter().filter(|(role, _)| is_gradient(role));
    let exact = reference.all(|(_, tensor)| tensor.element.is_double());
    let mut samples = SampleCount::default();
    let hidden = samples.family(tensors.family(TensorRole::Hidden)?)?;
    let (of, gradients) = gradients(&mut tensors, &mut samples)?;
    // If the hidden states are missing, the gradients determine their number and widths.
    let states = if hidden.is_empty() { &gradients } else { &hidden };
    let Some(last) = states.last() else {
        return Err(nothing(&tensors));
    };
    let embed = tensors.take(TensorRole::EmbedCredit).map(|tensor| samples.rows(tensor)).transpose()?;
    let credit = samples.family(tensors.family(TensorRole::Credit)?)?;
    same_depth(states, &gradients, &credit)?;
    for (gradient, state) in gradients.iter().zip(states) {
        gradient.as_wide_as(state, "a gradient is as wide as the hidden state")?;
    }
    if let Some(embed) = &embed {
        embed.as_wide_as(&states[0], "the credit of the embedding acts at h.0")?;
    }
    for (credit, state) in credit.iter().zip(&states[1..]) {
        credit.as_wide_as(state, "the credit a.l of block l acts at h.{l+1}")?;
    }
    let logits = tensors.take(TensorRole::Logits).map(|tensor| samples.rows(tensor)).transpose()?;
    let head = head(&mut tensors, last)?;
    let classes = classes(logits.as_ref(), head.as_ref())?;
    let labels =
        tensors.take(TensorRole::Labels).map(|tensor| labels(&tensor, &mut samples, classes)).transpose()?;
    let loss_changes = loss_changes(&mut tensors, &mut samples, states)?;
    let about = About::take(&mut tensors)?;
    Ok(Dump {
        origin,
        samples: samples.count(),
        blocks: states.len() - 1,
        gradients: of.map(|of| Gradients { of, layers: bare(gradients), exact }),
        hidden: bare(hidden),
        credit: Credit { embed: embed.map(|embed| embed.rows), blocks: bare(credit) },
        labels,
        logits: logits.map(|logits| logits.rows),
        head,
        loss_changes,
        about,
        half,
        ignored: tensors.ignored,
    })
}

fn bare(layers: Vec<NamedRows>) -> Vec<DumpRows> {
    layers.into_iter().map(|named| named.rows).collect()
}

/// The reference, in either convention.
fn gradients(
    tensors: &mut Tensors,
    samples: &mut SampleCount,
) -> Result<(Option<Loss>, Vec<NamedRows>), DumpFault> {
    let own = tensors.family(TensorRole::Gradient)?;
    let mean = tensors.family(TensorRole::MeanGradient)?;
    match (own.first(), mean.first()) {
        (Some(own), Some(mean)) => Err(DumpFault::layout(
            format!("both {} and {} are in the dump", own.name, mean.name),
            "save either p.* (gradients of each sample's own loss) or g.* (of the mean loss), not both",
        )),
        (Some(_), None) => Ok((Some(Loss::Own), samples.family(own)?)),
        (None, Some(_)) => Ok((Some(Loss::Mean), samples.family(mean)?)),
        (None, None) => Ok((None, Vec::new())),
    }
}

/// Refuses families that do not fit one network: L+1 states, L+1 gradients, L credits.
fn same_depth(states: &[NamedRows], gradients: &[NamedRows], credit: &[NamedRows]) -> Result<(), DumpFault> {
    let last = |layers: &[NamedRows]| layers.last().map(|named| named.name.clone()).unwrap_or_default();
    let wrong = if !gradients.is_empty() && gradients.len() != states.len() {
        gradients
    } else if !credit.is_empty() && credit.len() + 1 != states.len() {
        credit
    } else {
        return Ok(());
    };
    let blocks = states.len() - 1;
    let credits = match blocks {
        0 => "no credit of blocks".to_owned(),
        1 => "the credit a.0".to_owned(),
        _ => format!("credits a.0 … a.{}", blocks - 1),
    };
    Err(DumpFault::layout(
        format!("the hidden states end at {} and the others at {}", last(states), last(wrong)),
        format!("with {blocks} blocks there are h.0 … h.{blocks}, gradients 0 … {blocks}, and {credits}"),
    ))
}

/// The error for a file without states or gradients, with suggestions for its names.
fn nothing(tensors: &Tensors) -> DumpFault {
    const SHOWN: usize = 8;
    let known = tensors.known.values().map(|tensor| format!("`{}`", tensor.name));
    let others = tensors.ignored.iter().map(|ignored| match &ignored.meant {
        Some(meant) => format!("`{}` (meant as {meant}?)", ignored.name),
        None => format!("`{}`", ignored.name),
    });
    let mut names: Vec<String> = known.chain(others).collect();
    let more = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    let there = match (names.len(), more) {
        (0, _) => "the dump is empty".to_owned(),
        (_, 0) => format!("there are {}", names.join(", ")),
        _ => format!("there are {} and {more} more", names.join(", ")),
    };
    DumpFault::layout(
        format!("it has neither hidden states h.0 … h.L nor gradients p.0 … p.L (or g.*); {there}"),
        "name the tensors as docs/foreign-runs.md says",
    )
}
