//! What of an audit is shown. There is one layout for every width: what fits a terminal of 80 columns reads well in a wider
//! one, and output does not change with the window.

/// How a set of audits is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Every check of every seed, every run by itself, every null, and the cosine at the input of blocks.
    pub layers: bool,
    /// PyTorch's clamped cosine in place of the exact one.
    pub torch: bool,
    /// Γ over unreliable cosines as well.
    pub include_unreliable: bool,
}
