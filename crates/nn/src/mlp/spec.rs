//! Sizes and switches of the perceptron, and their checks.

use super::Mlp;
use crate::Error;
use crate::error::{check_least, check_most};

/// The nonlinearity inside a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activation {
    /// Exact GELU, x·Φ(x).
    Gelu,
    /// φ_α(z) = (1−α)·z + α·tanh z: linear at α = 0, tanh at α = 1.
    Blend(f64),
}

/// An unchecked description; [`MlpSpec::build`] checks it.
#[derive(Clone, Debug, PartialEq)]
pub struct MlpSpec {
    /// Features of an input.
    pub inputs: usize,
    /// Width d of the hidden states.
    pub d: usize,
    /// Number of blocks L; 0 leaves embedding and head.
    pub blocks: usize,
    /// Number of classes.
    pub classes: usize,
    /// Nonlinearity of the blocks.
    pub activation: Activation,
    /// LayerNorm at the entrance of each block.
    pub block_ln: bool,
    /// LayerNorm before the head.
    pub out_ln: bool,
    /// h_{l+1} = h_l + f_l(h_l), or f_l(h_l) alone.
    pub skip: bool,
    /// Standard deviation of the initial W2.
    pub w2_std: f64,
}

impl MlpSpec {
    /// The residual MLP at its defaults.
    pub fn resmlp(inputs: usize, d: usize, blocks: usize, classes: usize) -> Self {
        Self {
            inputs,
            d,
            blocks,
            classes,
            activation: Activation::Gelu,
            block_ln: true,
            out_ln: true,
            skip: true,
            w2_std: 0.01,
        }
    }

    /// The student, without LayerNorm.
    pub fn student(inputs: usize, d: usize, blocks: usize, classes: usize, alpha: f64) -> Self {
        let activation = Activation::Blend(alpha);
        Self { activation, block_ln: false, out_ln: false, ..Self::resmlp(inputs, d, blocks, classes) }
    }

    /// Checks the description and lays out the parameters.
    ///
    /// ```
    /// use nn::{Architecture, MlpSpec};
    /// let net = MlpSpec::resmlp(3072, 256, 4, 10).build()?;
    /// let names: Vec<_> = net.layout().tensors().iter().map(|t| t.name.as_str()).collect();
    /// assert_eq!((names[0], names[2]), ("embed.weight", "blocks.0.ln.weight"));
    /// # Ok::<(), nn::Error>(())
    /// ```
    pub fn build(self) -> Result<Mlp, Error> {
        check_least(&[
            ("the number of inputs", self.inputs, 1),
            ("d", self.d, 1),
            ("the number of classes", self.classes, 2),
        ])?;
        if let Activation::Blend(value) = self.activation
            && !(0.0..=1.0).contains(&value)
        {
            return Err(Error::OutOfRange { what: "alpha", value, range: "0 to 1" });
        }
        if !(self.w2_std.is_finite() && self.w2_std >= 0.0) {
            return Err(Error::OutOfRange { what: "w2_std", value: self.w2_std, range: "0 and above" });
        }
        let d = self.d as f64;
        check_most(d * self.inputs as f64 + self.blocks as f64 * 2.0 * d * d + d * self.classes as f64)?;
        Ok(Mlp::new(self))
    }
}
