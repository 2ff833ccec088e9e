//! Sizes of the convolutional network, and their checks.

use super::Resnet;
use crate::Error;
use crate::error::{check_least, check_most};

/// An unchecked description; [`ResnetSpec::build`] checks it. The default is for CIFAR-10, at 13.3 MFLOP per sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResnetSpec {
    /// Colours of an image, one plane after the other.
    pub channels: usize,
    /// Rows of pixels: as many as columns, and a multiple of 8, since the side is halved up to three times.
    pub height: usize,
    /// Columns of pixels.
    pub width: usize,
    /// Channels d of the first stage; the second has 2d, the third 4d.
    pub d: usize,
    /// Number of blocks L, of which block l belongs to stage ⌊3l/L⌋; 0 leaves stem and head.
    pub blocks: usize,
    /// Number of classes.
    pub classes: usize,
}

impl Default for ResnetSpec {
    fn default() -> Self {
        Self { channels: 3, height: 32, width: 32, d: 16, blocks: 6, classes: 10 }
    }
}

impl ResnetSpec {
    /// Checks the description and lays out the parameters.
    ///
    /// ```
    /// use nn::{Architecture, ResnetSpec};
    /// let net = ResnetSpec::default().build()?;
    /// assert_eq!((net.state(0).positions, net.state(0).features), (16 * 16, 16));
    /// assert_eq!((net.state(6).positions, net.state(6).features), (4 * 4, 64));
    /// let narrow = ResnetSpec { width: 24, ..ResnetSpec::default() }.build();
    /// assert_eq!(narrow.unwrap_err().to_string(), "height is 32 and width 24: images must be square");
    /// # Ok::<(), nn::Error>(())
    /// ```
    pub fn build(self) -> Result<Resnet, Error> {
        check_least(&[
            ("the number of channels", self.channels, 1),
            ("height", self.height, 8),
            ("d", self.d, 1),
            ("the number of classes", self.classes, 2),
        ])?;
        if self.height != self.width {
            return Err(Error::NotSquare { height: self.height, width: self.width });
        }
        if !self.height.is_multiple_of(8) {
            return Err(Error::Indivisible {
                what: "height",
                value: self.height,
                by: "the stride of all stages",
                divisor: 8,
            });
        }
        let [height, d, channels, classes] =
            [self.height, self.d, self.channels, self.classes].map(|size| size as f64);
        // Every block is counted like one of the last stage, the largest. The image is checked too.
        let params = 9.0 * channels * d + self.blocks as f64 * 18.0 * 16.0 * d * d + 4.0 * d * classes;
        check_most(params.max(height * height * channels.max(d)))?;
        Ok(Resnet::new(self))
    }

    /// The stage of h_l: that of the block whose output it is, or the first for the stem's.
    pub(super) fn stage(&self, l: usize) -> usize {
        if l == 0 { 0 } else { (l - 1) * 3 / self.blocks }
    }
}
