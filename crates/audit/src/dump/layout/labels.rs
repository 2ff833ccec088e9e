//! The labels of a dump.

use super::rows::SampleCount;
use crate::dump::DumpFault;
use arrays::Tensor;

/// Labels from here on are a mistake: no task has so many classes.
const MOST_CLASSES: f64 = 2_147_483_648.0;

/// The class of each sample, below `classes` if that is known.
pub(super) fn labels(
    tensor: &Tensor,
    samples: &mut SampleCount,
    classes: Option<usize>,
) -> Result<Vec<usize>, DumpFault> {
    let refuse = |what: String, remedy: &str| Err(DumpFault::tensor(&tensor.name, what, remedy));
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
    let Some((sample, label)) = wrong else {
        return Ok(tensor.values.iter().map(|&label| label as usize).collect());
    };
    let classes = classes.map_or_else(String::new, |classes| format!(", and there are {classes} classes"));
    refuse(
        format!("the label of sample {sample} is {label}{classes}"),
        "number classes from 0, and omit samples without a label",
    )
}
