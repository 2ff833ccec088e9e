//! Loss changes that were measured around the states of a dump.

use super::LossChanges;
use super::name::TensorRole;
use super::rows::{NamedRows, SampleCount};
use super::tensors::Tensors;
use crate::dump::DumpFault;
use arrays::Tensor;

/// Fewer directions tell too little.
const LEAST_DIRECTIONS: usize = 8;

/// The loss changes at each state that has some.
pub(super) fn loss_changes(
    tensors: &mut Tensors,
    samples: &mut SampleCount,
    states: &[NamedRows],
) -> Result<Vec<Option<LossChanges>>, DumpFault> {
    let mut found = Vec::new();
    for (l, state) in states.iter().enumerate() {
        let directions = tensors.take(TensorRole::Directions(l));
        let changes = tensors.take(TensorRole::LossChange(l));
        found.push(match (directions, changes) {
            (None, None) => None,
            (Some(directions), Some(changes)) => Some(at_state(directions, changes, samples, state)?),
            (Some(alone), None) => return Err(incomplete(&alone, TensorRole::LossChange(l))),
            (None, Some(alone)) => return Err(incomplete(&alone, TensorRole::Directions(l))),
        });
    }
    let beyond = |role: &TensorRole| matches!(role, TensorRole::Directions(_) | TensorRole::LossChange(_));
    match tensors.known.iter().find(|(role, _)| beyond(role)) {
        None => Ok(found),
        Some((_, tensor)) => Err(DumpFault::layout(
            format!("{} is in the dump, and its hidden state is not", tensor.name),
            format!("the last state is {}", states.last().map_or("missing", |state| &state.name)),
        )),
    }
}

fn at_state(
    directions: Tensor,
    changes: Tensor,
    samples: &mut SampleCount,
    state: &NamedRows,
) -> Result<LossChanges, DumpFault> {
    let name = directions.name.clone();
    // Rows of directions are not samples, so they are counted by themselves.
    let directions = SampleCount::default().rows(directions)?;
    directions.as_wide_as(state, "a direction is as wide as the state that it moves")?;
    let count = directions.rows.len();
    if count < LEAST_DIRECTIONS {
        return Err(DumpFault::tensor(
            &name,
            format!("it has {count} directions"),
            format!(
                "save at least {LEAST_DIRECTIONS} random directions, the same for every sample; 32 are usual"
            ),
        ));
    }
    let changes = samples.rows(changes)?;
    if changes.rows.width != count {
        return Err(DumpFault::tensor(
            &changes.name,
            format!("it has {} changes per sample, and {name} has {count} directions", changes.rows.width),
            "save one change of the loss per sample and direction",
        ));
    }
    Ok(LossChanges { directions: directions.rows, changes: changes.rows })
}

fn incomplete(alone: &Tensor, missing: TensorRole) -> DumpFault {
    DumpFault::layout(
        format!("{} is in the dump and {missing} is not", alone.name),
        "save directions (v.l, directions × features) and loss changes (dl.l, samples × directions) together",
    )
}
