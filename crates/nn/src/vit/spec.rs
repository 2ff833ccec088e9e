//! Sizes of the transformer, and their checks.

use super::Vit;
use crate::Error;
use crate::error::{check_least, check_most};

/// An unchecked description; [`VitSpec::build`] checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VitSpec {
    /// Planes of an image.
    pub channels: usize,
    /// Rows of a plane.
    pub height: usize,
    /// Columns of a plane.
    pub width: usize,
    /// Side of a square patch.
    pub patch: usize,
    /// Features of a token.
    pub d: usize,
    /// Number of blocks L; 0 leaves embedding and head, with a class token that never sees the image.
    pub blocks: usize,
    /// Attention heads per block, each with d / heads features.
    pub heads: usize,
    /// Hidden units of a block's perceptron.
    pub mlp: usize,
    /// Number of classes.
    pub classes: usize,
}

impl VitSpec {
    /// ViT-Mini: patches of 4 × 4, d = 128, 4 blocks of 4 heads, perceptrons of 2d hidden units.
    pub fn mini(channels: usize, height: usize, width: usize, classes: usize) -> Self {
        Self { channels, height, width, patch: 4, d: 128, blocks: 4, heads: 4, mlp: 256, classes }
    }

    /// Patches per image.
    pub(super) fn patches(&self) -> usize {
        (self.height / self.patch) * (self.width / self.patch)
    }

    /// Checks the description and lays out the parameters.
    ///
    /// ```
    /// use nn::{Architecture, VitSpec};
    /// let net = VitSpec::mini(3, 32, 32, 10).build()?;
    /// let layout = net.layout();
    /// assert_eq!(layout.get("pos_embed").unwrap().shape, [1, 65, 128]); // the class token and 8 x 8 patches
    /// assert_eq!(layout.get("blocks.3.qkv.weight").unwrap().shape, [384, 128]);
    ///
    /// let refused = VitSpec { heads: 5, ..VitSpec::mini(3, 32, 32, 10) }.build().unwrap_err();
    /// assert_eq!(refused.to_string(), "d is 128: it must be a multiple of the number of heads, which is 5");
    /// # Ok::<(), nn::Error>(())
    /// ```
    pub fn build(self) -> Result<Vit, Error> {
        check_least(&[
            ("the number of channels", self.channels, 1),
            ("the height", self.height, 1),
            ("the width", self.width, 1),
            ("the patch", self.patch, 1),
            ("d", self.d, 1),
            ("the number of heads", self.heads, 1),
            ("mlp", self.mlp, 1),
            ("the number of classes", self.classes, 2),
        ])?;
        for (what, value, by, divisor) in [
            ("the height", self.height, "the patch", self.patch),
            ("the width", self.width, "the patch", self.patch),
            ("d", self.d, "the number of heads", self.heads),
        ] {
            if !value.is_multiple_of(divisor) {
                return Err(Error::Indivisible { what, value, by, divisor });
            }
        }
        let float = |size: usize| size as f64;
        let d = float(self.d);
        let pixels = float(self.height) * float(self.width);
        let patch = float(self.channels) * float(self.patch) * float(self.patch);
        let tokens = pixels / float(self.patch).powi(2) + 2.0;
        let block = 4.0 * d * d + 2.0 * d * float(self.mlp);
        let params = d * (tokens + patch + float(self.classes)) + float(self.blocks) * block;
        // The image is checked too: it can be larger than the weights, which its patches share.
        check_most(params.max(float(self.channels) * pixels))?;
        Ok(Vit::new(self))
    }
}
