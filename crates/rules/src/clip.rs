//! Gradient clipping: before the optimiser, the gradient of a unit is scaled down to a norm, as PyTorch's `clip_grad_norm_`
//! does where each unit has an optimiser of its own.

use nn::Unit;

/// Which gradients are clipped, and to which norm.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clip {
    /// Largest norm of a unit's gradient; 0 clips nothing.
    pub norm: f64,
    /// The units.
    pub units: ClipUnits,
}

/// The units whose gradients are clipped, each by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClipUnits {
    /// Every block.
    #[default]
    Blocks,
    /// The embedding, every block, and the last LayerNorm with the head.
    All,
}

/// A gradient that cannot be clipped, since its norm is infinite or no number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrokenGradient {
    /// The unit whose gradient it is.
    pub unit: Unit,
    /// The norm.
    pub norm: f64,
}

impl Clip {
    /// Whether a unit's gradient is clipped.
    pub fn applies(&self, unit: Unit) -> bool {
        self.norm > 0.0
            && match unit {
                Unit::Block(_) => true,
                Unit::Embed | Unit::Head => self.units == ClipUnits::All,
                Unit::Statistics | Unit::Given => false,
            }
    }

    /// What a gradient of that norm is multiplied by.
    ///
    /// ```
    /// let clip = rules::Clip { norm: 1.0, ..rules::Clip::default() };
    /// assert_eq!((clip.factor(0.5), clip.factor(3.0)), (1.0, 1.0 / (3.0 + 1e-6)));
    /// ```
    pub fn factor(&self, norm: f64) -> f64 {
        (self.norm / (norm + 1e-6)).min(1.0)
    }
}
