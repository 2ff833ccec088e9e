//! What of an audit is shown. There is one layout for every width: what fits the usual terminal reads well in a wide
//! one, and output does not change with the window.

/// How a set of audits is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Every run by itself, with every null and the source's convention.
    pub layers: bool,
    /// PyTorch's clamped cosine in place of the exact one.
    pub torch: bool,
    /// Γ over unreliable cosines as well.
    pub include_unreliable: bool,
}
