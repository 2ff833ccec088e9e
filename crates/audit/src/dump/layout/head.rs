//! The way from h_L to the logits: a head, and perhaps a LayerNorm before it.

use super::name::Role;
use super::rows::Named;
use super::tensors::Tensors;
use super::{Head, LastNorm, Rows};
use crate::dump::Fault;
use crate::dump::format::Tensor;

/// PyTorch's default.
const EPS: f64 = 1e-5;

/// The head of the dump, if it has one; `state` is h_L, or the gradient there.
pub(super) fn head(tensors: &mut Tensors, state: &Named) -> Result<Option<Head>, Fault> {
    let Some(weight) = tensors.take(Role::HeadWeight) else {
        let parts = [Role::HeadBias, Role::NormWeight, Role::NormBias, Role::NormEps];
        return match parts.into_iter().find_map(|role| tensors.take(role)) {
            None => Ok(None),
            Some(part) => Err(Fault::layout(
                format!("{} is in the dump and head.weight is not", part.name),
                "add head.weight (classes × features), or leave both out",
            )),
        };
    };
    let width = state.rows.width;
    let classes = weight.shape.lengths().first().copied().unwrap_or(0);
    // A state of several dimensions is taken flat, and so are the weights that read it.
    if weight.shape.lengths().len() < 2
        || classes.checked_mul(width) != Some(weight.shape.count())
        || classes == 0
    {
        return Err(Fault::tensor(
            &weight.name,
            format!("its shape is {}, and {} has {width} features", weight.shape.words(), state.name),
            "save it as classes × features; leave the head out where it reads something else than the last hidden \
             state (its mean over positions, say)",
        ));
    }
    let bias = tensors.take(Role::HeadBias).map(|bias| vector(bias, classes, "classes")).transpose()?;
    let norm = norm(tensors, width)?;
    Ok(Some(Head { weight: Rows { values: weight.values, width }, bias, norm }))
}

/// The LayerNorm before the head.
fn norm(tensors: &mut Tensors, width: usize) -> Result<Option<LastNorm>, Fault> {
    let bias = tensors.take(Role::NormBias);
    let eps = tensors.take(Role::NormEps);
    let Some(weight) = tensors.take(Role::NormWeight) else {
        return match bias.or(eps) {
            None => Ok(None),
            Some(part) => Err(Fault::layout(
                format!("{} is in the dump and out_ln.weight is not", part.name),
                "add out_ln.weight (ones, where the LayerNorm has no scale)",
            )),
        };
    };
    let weight = vector(weight, width, "features")?;
    let bias = bias.map(|bias| vector(bias, width, "features")).transpose()?;
    let eps = match eps {
        None => EPS,
        Some(eps) => match eps.values.as_slice() {
            &[eps] if eps >= 0.0 && eps.is_finite() => eps,
            _ => {
                let remedy = format!("save the eps of the LayerNorm; without it, {EPS:e} is meant");
                return Err(Fault::tensor(&eps.name, "it is not one number from 0 up", remedy));
            }
        },
    };
    Ok(Some(LastNorm { weight, bias, eps }))
}

/// A tensor of one number for each of `count` things.
fn vector(tensor: Tensor, count: usize, things: &str) -> Result<Vec<f64>, Fault> {
    if tensor.shape.count() == count {
        return Ok(tensor.values);
    }
    Err(Fault::tensor(
        &tensor.name,
        format!("its shape is {}, and the number of {things} is {count}", tensor.shape.words()),
        "save one number for each",
    ))
}

/// How many classes there are, by logits and head.
pub(super) fn classes(logits: Option<&Named>, head: Option<&Head>) -> Result<Option<usize>, Fault> {
    match (logits, head) {
        (Some(logits), Some(head)) if logits.rows.width != head.weight.len() => Err(Fault::layout(
            format!(
                "{} has {} classes and head.weight has {}",
                logits.name,
                logits.rows.width,
                head.weight.len()
            ),
            "save logits as samples × classes and head.weight as classes × features",
        )),
        (Some(logits), _) => Ok(Some(logits.rows.width)),
        (None, head) => Ok(head.map(|head| head.weight.len())),
    }
}
