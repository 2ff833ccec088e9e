//! What of an audit is shown. There is one layout for every width: what fits the usual terminal reads well in a wide
//! one, and output does not change with the window.

use crate::args::{CosineKind, Output};

/// How a set of audits is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    /// Every run by itself, with every null and the source's convention.
    pub(crate) layers: bool,
    /// PyTorch's clamped cosine in place of the exact one.
    pub(crate) torch: bool,
    /// Γ over unreliable cosines as well.
    pub(crate) include_unreliable: bool,
}

impl View {
    /// What the command line asks for.
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            layers: output.layers,
            torch: output.cosine == CosineKind::Torch,
            include_unreliable: output.include_unreliable,
        }
    }
}
