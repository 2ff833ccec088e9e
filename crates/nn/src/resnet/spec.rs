//! Sizes of the convolutional network, unchecked and checked, and the layout of its parameters.

use super::conv::Conv;
use super::patches::ConvWindow;
use crate::error::{check_least, check_most};
use crate::linear::Affine;
use crate::{Error, Layout, Role, Unit};

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

/// The convolutions of a block, each with its BatchNorm.
#[derive(Clone, Debug)]
pub(super) struct BlockLayers {
    pub(super) first: Conv,
    pub(super) second: Conv,
    /// The shortcut, where side and channels change.
    pub(super) short: Option<Conv>,
}

impl BlockLayers {
    /// In memory order.
    fn convs_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut Conv)> {
        let short = self.short.as_mut().map(|short| ("bn_short", short));
        [("bn1", &mut self.first), ("bn2", &mut self.second)].into_iter().chain(short)
    }
}

/// A checked convolutional network: its description and the layout of its parameters, which the caller owns.
#[derive(Clone, Debug)]
pub struct Resnet {
    pub(super) spec: ResnetSpec,
    pub(super) layout: Layout,
    pub(super) stem: Conv,
    pub(super) blocks: Vec<BlockLayers>,
    pub(super) out_head: Affine,
}

impl Resnet {
    fn new(spec: ResnetSpec) -> Self {
        let mut layout = Layout::default();
        let mut conv =
            |unit: Unit, [name, norm]: [String; 2], window: ConvWindow, outputs: usize, scale: Role| {
                let shape = [outputs, window.channels, window.kernel, window.kernel];
                let weight = layout.push(unit, Role::Kernel, format!("{name}.weight"), &shape);
                let norm = layout.norm(unit, &norm, outputs, scale);
                Conv { window, weight, norm, mean: 0..0, variance: 0..0 }
            };
        let ResnetSpec { d, height: side, .. } = spec;
        let image = ConvWindow { side, channels: spec.channels, kernel: 3, stride: 2 };
        let mut stem = conv(Unit::Embed, ["stem.conv", "stem.bn"].map(str::to_owned), image, d, Role::Scale);
        let mut blocks: Vec<BlockLayers> = (0..spec.blocks)
            .map(|l| {
                let before = spec.stage(l);
                let after = spec.stage(l + 1);
                let channels = d << before;
                let outputs = d << after;
                let side = (side / 2) >> before;
                let stride = 1 << (after - before);
                let mut part = |names: [&str; 2], window: ConvWindow, scale: Role| {
                    conv(
                        Unit::Block(l),
                        names.map(|name| format!("blocks.{l}.{name}")),
                        window,
                        outputs,
                        scale,
                    )
                };
                // Only the branch of a block with a skip connection starts small.
                let last = if stride == 1 { Role::LastScale } else { Role::Scale };
                let within = ConvWindow { side: side / stride, channels: outputs, kernel: 3, stride: 1 };
                BlockLayers {
                    first: part(
                        ["conv1", "bn1"],
                        ConvWindow { side, channels, kernel: 3, stride },
                        Role::Scale,
                    ),
                    second: part(["conv2", "bn2"], within, last),
                    short: (stride > 1).then(|| {
                        part(
                            ["short", "bn_short"],
                            ConvWindow { side, channels, kernel: 1, stride },
                            Role::Scale,
                        )
                    }),
                }
            })
            .collect();
        let top = d << spec.stage(spec.blocks);
        let out_head = layout.linear(Unit::Head, "out_head", spec.classes, top);
        let mut statistics = |name: String, conv: &mut Conv| {
            let channels = conv.outputs();
            let mut part =
                |role, what| layout.push(Unit::Statistics, role, format!("{name}.{what}"), &[channels]);
            conv.mean = part(Role::RunningMean, "running_mean");
            conv.variance = part(Role::RunningVariance, "running_var");
        };
        statistics("stem.bn".to_owned(), &mut stem);
        for (l, block) in blocks.iter_mut().enumerate() {
            block.convs_mut().for_each(|(name, conv)| statistics(format!("blocks.{l}.{name}"), conv));
        }
        Self { spec, layout, stem, blocks, out_head }
    }

    /// The description it was built from.
    pub fn spec(&self) -> &ResnetSpec {
        &self.spec
    }
}
