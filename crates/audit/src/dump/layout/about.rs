//! What a dump says about the run it is of: rule, seed, epoch, accuracies.

use super::name::TensorRole;
use super::tensors::Tensors;
use crate::dump::DumpFault;
use arrays::{Tensor, printable};

/// The longest name of a rule.
const LONGEST_NAME: usize = 64;

/// What a dump says about its run; every part may be missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// The rule's name.
    pub rule: Option<String>,
    /// The seed.
    pub seed: Option<u64>,
    /// Epochs trained.
    pub epoch: Option<u64>,
    /// Accuracy on the whole test set.
    pub accuracy: Option<f64>,
    /// The same of a run with frozen blocks.
    pub frozen_accuracy: Option<f64>,
}

impl About {
    /// The tensors that hold it.
    pub(super) fn holds(role: TensorRole) -> bool {
        matches!(
            role,
            TensorRole::Rule
                | TensorRole::Seed
                | TensorRole::Epoch
                | TensorRole::Accuracy
                | TensorRole::FrozenAccuracy
        )
    }

    pub(crate) fn take(tensors: &mut Tensors) -> Result<Self, DumpFault> {
        let mut take = |role| tensors.take(role);
        Ok(Self {
            rule: take(TensorRole::Rule).map(|tensor| text(&tensor)).transpose()?,
            seed: take(TensorRole::Seed).map(|tensor| count(&tensor, "the seed of the run")).transpose()?,
            epoch: take(TensorRole::Epoch)
                .map(|tensor| count(&tensor, "the number of epochs trained"))
                .transpose()?,
            accuracy: take(TensorRole::Accuracy).map(|tensor| share(&tensor)).transpose()?,
            frozen_accuracy: take(TensorRole::FrozenAccuracy).map(|tensor| share(&tensor)).transpose()?,
        })
    }
}

fn count(tensor: &Tensor, what: &str) -> Result<u64, DumpFault> {
    match tensor.values.as_slice() {
        &[count] if count.fract() == 0.0 && (0.0..1e15).contains(&count) => Ok(count as u64),
        _ => Err(DumpFault::tensor(
            &tensor.name,
            "it is not a single integer of at least 0",
            format!("save {what}, or omit it"),
        )),
    }
}

fn share(tensor: &Tensor) -> Result<f64, DumpFault> {
    match tensor.values.as_slice() {
        &[share] if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(DumpFault::tensor(
            &tensor.name,
            "it is not a single number from 0 to 1",
            "save the accuracy on the whole test set, or omit it",
        )),
    }
}

/// A text, as NumPy stores one, or as the codes of its characters.
fn text(tensor: &Tensor) -> Result<String, DumpFault> {
    // NumPy fills a text up with zeros.
    let codes = tensor.values.split(|&code| code == 0.0).next().unwrap_or_default();
    let letter = |&code: &f64| {
        let whole = code.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&code);
        whole.then_some(code as u32).and_then(char::from_u32)
    };
    let name: Option<String> = codes.iter().map(letter).collect();
    match name.filter(|name| !name.trim().is_empty() && name.chars().count() <= LONGEST_NAME) {
        Some(name) => Ok(printable(&name)),
        None => Err(DumpFault::tensor(
            &tensor.name,
            "it is not a short text",
            format!(
                "save the rule's name as a text of 1 to {LONGEST_NAME} letters (numpy.array(\"dfa\"), or its character codes)"
            ),
        )),
    }
}
