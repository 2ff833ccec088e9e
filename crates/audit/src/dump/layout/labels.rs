//! Whole numbers of a dump: the labels, and the epoch.

use super::rows::Samples;
use crate::dump::Fault;
use crate::dump::format::Tensor;

/// Labels from here on are a mistake: nobody has so many classes.
const MOST_CLASSES: f64 = 2_147_483_648.0;

/// The class of each sample; below `classes`, where they are known.
pub(super) fn labels(
    tensor: &Tensor,
    samples: &mut Samples,
    classes: Option<usize>,
) -> Result<Vec<usize>, Fault> {
    let refuse = |what: String, remedy: &str| Err(Fault::tensor(&tensor.name, what, remedy));
    let &[count, ref rest @ ..] = tensor.shape.lengths() else {
        return refuse("it is a single number".to_owned(), "save one label per sample");
    };
    if rest.iter().any(|&length| length != 1) {
        return refuse(
            format!("its shape is {}", tensor.shape.words()),
            "save one label per sample (of one-hot labels, the argmax)",
        );
    }
    if !tensor.element.is_integer() {
        return refuse("its numbers are not integers".to_owned(), "save labels as int64");
    }
    samples.agree(&tensor.name, count)?;
    let most = classes.map_or(MOST_CLASSES, |classes| classes as f64);
    let wrong = tensor.values.iter().enumerate().find(|&(_, &label)| !(0.0..most).contains(&label));
    match (wrong, classes) {
        (None, _) => Ok(tensor.values.iter().map(|&label| label as usize).collect()),
        (Some((sample, label)), Some(classes)) => refuse(
            format!("the label of sample {sample} is {label}, and there are {classes} classes"),
            "number classes from 0, and leave out samples without a label",
        ),
        (Some((sample, label)), None) => refuse(
            format!("the label of sample {sample} is {label}"),
            "number classes from 0, and leave out samples without a label",
        ),
    }
}

/// Epochs trained.
pub(super) fn epoch(tensor: &Tensor) -> Result<u64, Fault> {
    match tensor.values.as_slice() {
        &[epoch] if epoch.fract() == 0.0 && (0.0..1e15).contains(&epoch) => Ok(epoch as u64),
        _ => Err(Fault::tensor(
            &tensor.name,
            "it is not one whole number",
            "save the number of epochs trained, or leave it out",
        )),
    }
}
