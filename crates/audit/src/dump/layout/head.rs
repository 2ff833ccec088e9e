//! The head of a dump, and the LayerNorm before it.

use super::name::TensorRole;
use super::rows::NamedRows;
use super::tensors::Tensors;
use super::{DumpRows, Head, LastNorm, Pooling};
use crate::dump::DumpFault;
use arrays::Tensor;

/// PyTorch's default.
const EPS: f64 = 1e-5;

/// The head of the dump, if it has one; `state` is h_L, or the gradient there.
pub(super) fn head(tensors: &mut Tensors, state: &NamedRows) -> Result<Option<Head>, DumpFault> {
    let Some(weight) = tensors.take(TensorRole::HeadWeight) else {
        let parts = [TensorRole::HeadBias, TensorRole::NormWeight, TensorRole::NormBias, TensorRole::NormEps];
        return match parts.into_iter().find_map(|role| tensors.take(role)) {
            None => Ok(None),
            Some(part) => Err(DumpFault::layout(
                format!("{} is in the dump and head.weight is not", part.name),
                "add head.weight (classes × features), or omit both",
            )),
        };
    };
    let classes = weight.shape.lengths().first().copied().unwrap_or(0);
    // A state of several dimensions is flattened, and so are the weights that read it.
    let reads = weight.shape.count().checked_div(classes).filter(|_| weight.shape.lengths().len() >= 2);
    let pooling = match reads {
        Some(reads) if reads == state.rows.width => None,
        reads => match reads.and_then(|reads| pooling(&state.features, reads)) {
            Some(pooling) => Some(pooling),
            None => {
                return Err(DumpFault::tensor(
                    &weight.name,
                    format!(
                        "its shape is {}, and {} has {} features",
                        weight.shape.words(),
                        state.name,
                        state.rows.width
                    ),
                    "save it as classes × features (a head that reads a mean over positions needs states of the shape samples × \
                     positions × features, or samples × channels × …); omit the head if it reads something else",
                ));
            }
        },
    };
    let width = reads.unwrap_or(state.rows.width);
    let bias = tensors.take(TensorRole::HeadBias).map(|bias| vector(bias, classes, "classes")).transpose()?;
    let norm = norm(tensors, width)?;
    Ok(Some(Head { weight: DumpRows { values: weight.values, width }, pooling, bias, norm }))
}

/// The mean over positions that gives so many features: the last dimension of a state has them, or else the first.
fn pooling(dimensions: &[usize], features: usize) -> Option<Pooling> {
    let (&first, &last) = (dimensions.first()?, dimensions.last()?);
    let features_last = last == features;
    let several = dimensions.len() > 1 && features > 0;
    let positions = dimensions.iter().product::<usize>().checked_div(features)?;
    (several && (features_last || first == features)).then_some(Pooling {
        positions,
        features,
        features_last,
    })
}

/// The LayerNorm before the head.
fn norm(tensors: &mut Tensors, width: usize) -> Result<Option<LastNorm>, DumpFault> {
    let bias = tensors.take(TensorRole::NormBias);
    let eps = tensors.take(TensorRole::NormEps);
    let Some(weight) = tensors.take(TensorRole::NormWeight) else {
        return match bias.or(eps) {
            None => Ok(None),
            Some(part) => Err(DumpFault::layout(
                format!("{} is in the dump and out_ln.weight is not", part.name),
                "add out_ln.weight (ones if the LayerNorm has no scale)",
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
                let remedy = format!("save the eps of the LayerNorm; without it, {EPS:e} is assumed");
                return Err(DumpFault::tensor(&eps.name, "it is not a single number of at least 0", remedy));
            }
        },
    };
    Ok(Some(LastNorm { weight, bias, eps }))
}

/// A tensor with one number for each of `count` things.
fn vector(tensor: Tensor, count: usize, things: &str) -> Result<Vec<f64>, DumpFault> {
    if tensor.shape.count() == count {
        return Ok(tensor.values);
    }
    Err(DumpFault::tensor(
        &tensor.name,
        format!("its shape is {}, and the number of {things} is {count}", tensor.shape.words()),
        "save one number for each",
    ))
}

/// The number of classes, by logits and head.
pub(super) fn classes(logits: Option<&NamedRows>, head: Option<&Head>) -> Result<Option<usize>, DumpFault> {
    match (logits, head) {
        (Some(logits), Some(head)) if logits.rows.width != head.weight.len() => Err(DumpFault::layout(
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
