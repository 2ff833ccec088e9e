//! Scales dumped gradients to p, the gradient of each sample's own loss.

use super::{Dump, Loss};
use crate::dump::DumpFault;
use record::Remedy;
use std::borrow::Cow;

/// Turns the reference of a dump into p and returns how many samples its mean was over: 1 for gradients of each sample's own
/// loss.
///
/// `mean_over` for gradients that are not of a mean is refused: the caller seems to think that they are.
pub(crate) fn scale(dump: &mut Cow<'_, Dump>, mean_over: Option<u64>) -> Result<u64, DumpFault> {
    let refuse = |why: &str, advice: &'static str| {
        let what = format!("the number of samples in the mean is given, and {why}");
        Err(DumpFault::Options { what, advice, remedy: Remedy::OmitMeanOver })
    };
    let Some(gradients) = &dump.gradients else {
        return match mean_over {
            None => Ok(1),
            Some(_) => refuse("the dump has no gradients", "omit it"),
        };
    };
    if gradients.of == Loss::Own && mean_over.is_some() {
        return refuse(
            "p.* are gradients of each sample's own loss",
            "save gradients of a mean as g.*, or omit the number of samples in the mean",
        );
    }
    let factor = gradients.factor(mean_over);
    if gradients.of == Loss::Mean {
        let layers = dump.to_mut().gradients.iter_mut().flat_map(|gradients| &mut gradients.layers);
        layers.flat_map(|rows| &mut rows.values).for_each(|g| *g *= factor);
    }
    Ok(factor as u64)
}
