//! Dumped gradients in the one size that everything else is stated in: p, of each sample's own loss.

use super::{Dump, Loss};
use crate::dump::Fault;
use std::borrow::Cow;

/// Turns the reference of a dump into p, whatever it was saved as, and tells how many samples its mean was over: 1 for
/// gradients of each sample's own loss.
///
/// A number given for gradients that are of no mean is refused: whoever gives it thinks that they are.
pub(crate) fn scale(dump: &mut Cow<'_, Dump>, mean_over: Option<u64>) -> Result<u64, Fault> {
    let refuse = |what: &str, remedy: &str| Err(Fault::layout(what, remedy));
    let Some(gradients) = &dump.gradients else {
        return match mean_over {
            None => Ok(1),
            Some(_) => refuse("--mean-over is given, and the dump has no gradients", "leave it out"),
        };
    };
    match (gradients.of, mean_over) {
        (_, Some(0)) => return refuse("--mean-over is 0", "give the number of samples in the mean"),
        (Loss::Own, Some(_)) => {
            return refuse(
                "--mean-over is given, and p.* are gradients of each sample's own loss",
                "save gradients of a mean as g.*, or leave --mean-over out",
            );
        }
        _ => {}
    }
    let factor = gradients.factor(mean_over);
    if gradients.of == Loss::Mean {
        let layers = dump.to_mut().gradients.iter_mut().flat_map(|gradients| &mut gradients.layers);
        layers.flat_map(|rows| &mut rows.values).for_each(|g| *g *= factor);
    }
    Ok(factor as u64)
}
