//! Sizes of the convolutional network, unchecked and checked, and where its parameters lie.

use super::conv::Conv;
use super::patches::Window;
use crate::linear::Affine;
use crate::{Error, Layout, State, Unit};

/// What is asked for; [`ResnetSpec::build`] checks it. The default is the network for CIFAR-10 at 13.3 MFLOP a sample.
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
    /// use nn::{Network, ResnetSpec};
    /// let net = ResnetSpec::default().build()?;
    /// let state = |l| Network::<f32>::state(&net, l);
    /// assert_eq!((state(0).positions, state(0).features), (16 * 16, 16));
    /// assert_eq!((state(6).positions, state(6).features), (4 * 4, 64));
    /// let narrow = ResnetSpec { width: 24, ..ResnetSpec::default() }.build();
    /// assert_eq!(narrow.unwrap_err().to_string(), "height is 32 and width 24: images must be square");
    /// # Ok::<(), nn::Error>(())
    /// ```
    pub fn build(self) -> Result<Resnet, Error> {
        const LIMIT: usize = 1 << 32;
        for (what, value, least) in [
            ("the number of channels", self.channels, 1),
            ("height", self.height, 8),
            ("d", self.d, 1),
            ("the number of classes", self.classes, 2),
        ] {
            if value < least {
                return Err(Error::TooSmall { what, value, least });
            }
        }
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
        let (channels, side, d, blocks, classes) = (
            self.channels as f64,
            self.height as f64,
            self.d as f64,
            self.blocks as f64,
            self.classes as f64,
        );
        // No block has more than those of the last stage. An image has to be addressed as well.
        let params = 9.0 * channels * d + blocks * 18.0 * 16.0 * d * d + 4.0 * d * classes;
        if params.max(side * side * channels.max(d)) > LIMIT as f64 {
            return Err(Error::TooLarge { limit: LIMIT });
        }
        Ok(Resnet::new(self))
    }

    /// The stage of h_l: that of the block whose output it is, and the first for the stem's.
    fn stage(&self, l: usize) -> usize {
        if l == 0 { 0 } else { (l - 1) * 3 / self.blocks }
    }
}

/// The convolutions of a block, each with its BatchNorm.
#[derive(Clone, Debug)]
pub(super) struct BlockPlaces {
    pub(super) first: Conv,
    pub(super) second: Conv,
    /// Beside them, where side and channels change.
    pub(super) short: Option<Conv>,
}

impl BlockPlaces {
    /// In the order of memory.
    fn convs_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut Conv)> {
        let short = self.short.as_mut().map(|short| ("bn_short", short));
        [("bn1", &mut self.first), ("bn2", &mut self.second)].into_iter().chain(short)
    }
}

/// A checked convolutional network: its description and where its parameters lie. The parameters themselves are the caller's.
#[derive(Clone, Debug)]
pub struct Resnet {
    pub(super) spec: ResnetSpec,
    pub(super) layout: Layout,
    pub(super) stem: Conv,
    pub(super) blocks: Vec<BlockPlaces>,
    pub(super) out_head: Affine,
}

impl Resnet {
    fn new(spec: ResnetSpec) -> Self {
        let mut layout = Layout::default();
        let mut conv = |unit: Unit, [name, norm]: [String; 2], window: Window, outputs: usize| {
            let shape = [outputs, window.channels, window.kernel, window.kernel];
            let weight = layout.push(unit, format!("{name}.weight"), &shape);
            let norm = Affine {
                weight: layout.push(unit, format!("{norm}.weight"), &[outputs]),
                bias: layout.push(unit, format!("{norm}.bias"), &[outputs]),
            };
            Conv { window, weight, norm, mean: 0..0, variance: 0..0 }
        };
        let (d, side) = (spec.d, spec.height);
        let image = Window { side, channels: spec.channels, kernel: 3, stride: 2 };
        let mut stem = conv(Unit::Embed, ["stem.conv", "stem.bn"].map(str::to_owned), image, d);
        let mut blocks: Vec<BlockPlaces> = (0..spec.blocks)
            .map(|l| {
                let (before, after) = (spec.stage(l), spec.stage(l + 1));
                let (channels, outputs) = (d << before, d << after);
                let (side, stride) = ((side / 2) >> before, 1 << (after - before));
                let mut part = |names: [&str; 2], window: Window| {
                    conv(Unit::Block(l), names.map(|name| format!("blocks.{l}.{name}")), window, outputs)
                };
                let within = Window { side: side / stride, channels: outputs, kernel: 3, stride: 1 };
                BlockPlaces {
                    first: part(["conv1", "bn1"], Window { side, channels, kernel: 3, stride }),
                    second: part(["conv2", "bn2"], within),
                    short: (stride > 1)
                        .then(|| part(["short", "bn_short"], Window { side, channels, kernel: 1, stride })),
                }
            })
            .collect();
        let top = d << spec.stage(spec.blocks);
        let out_head = Affine {
            weight: layout.push(Unit::Head, "out_head.weight".to_owned(), &[spec.classes, top]),
            bias: layout.push(Unit::Head, "out_head.bias".to_owned(), &[spec.classes]),
        };
        let mut statistics = |name: String, conv: &mut Conv| {
            let mut part = |what| layout.push(Unit::Statistics, format!("{name}.{what}"), &[conv.outputs()]);
            (conv.mean, conv.variance) = (part("running_mean"), part("running_var"));
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

    /// What h_l consists of.
    pub(super) fn state_at(&self, l: usize) -> State {
        let stage = self.spec.stage(l);
        let side = (self.spec.height / 2) >> stage;
        State { positions: side * side, features: self.spec.d << stage, reached: side * side }
    }

    /// All convolutions, in the order of memory.
    pub(super) fn convs(&self) -> impl Iterator<Item = &Conv> {
        let blocks = self
            .blocks
            .iter()
            .flat_map(|block| [&block.first, &block.second].into_iter().chain(&block.short));
        std::iter::once(&self.stem).chain(blocks)
    }
}
