//! The layout of the convolutional network's parameters: names, shapes, order; where a block has a shortcut.

use super::ResnetSpec;
use super::conv::Conv;
use super::patches::ConvWindow;
use crate::linear::Affine;
use crate::{Layout, Role, Unit};

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
    pub(super) fn new(spec: ResnetSpec) -> Self {
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
