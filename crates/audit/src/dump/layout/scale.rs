//! Dumped gradients in the one size that everything else is stated in: p, of each sample's own loss.

use super::{Dump, Loss};
use crate::dump::Fault;
use record::Remedy;
use std::borrow::Cow;

/// Turns the reference of a dump into p, whatever it was saved as, and returns how many samples its mean was over: 1 for
/// gradients of each sample's own loss.
///
/// A number given for gradients that are not of a mean is refused: whoever gives it thinks that they are.
pub(crate) fn scale(dump: &mut Cow<'_, Dump>, mean_over: Option<u64>) -> Result<u64, Fault> {
    let refuse = |why: &str, advice: &'static str| {
        let what = format!("the number of samples in the mean is given, and {why}");
        Err(Fault::Options { what, advice, remedy: Remedy::OmitMeanOver })
    };
    let Some(gradients) = &dump.gradients else {
        return match mean_over {
            None => Ok(1),
            Some(_) => refuse("the dump has no gradients", "leave it out"),
        };
    };
    if gradients.of == Loss::Own && mean_over.is_some() {
        return refuse(
            "p.* are gradients of each sample's own loss",
            "save gradients of a mean as g.*, or leave the number of samples in the mean out",
        );
    }
    let factor = gradients.factor(mean_over);
    if gradients.of == Loss::Mean {
        let layers = dump.to_mut().gradients.iter_mut().flat_map(|gradients| &mut gradients.layers);
        layers.flat_map(|rows| &mut rows.values).for_each(|g| *g *= factor);
    }
    Ok(factor as u64)
}
