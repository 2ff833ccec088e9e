//! Sizes of the transformer, unchecked and checked.

use crate::error::{check_least, check_most};
use crate::linear::Affine;
use crate::{Error, Layout, Role, Unit};
use std::ops::Range;

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

#[derive(Clone, Debug)]
pub(super) struct BlockLayers {
    pub(super) ln1: Affine,
    pub(super) qkv: Affine,
    pub(super) proj: Affine,
    pub(super) ln2: Affine,
    pub(super) fc1: Affine,
    pub(super) fc2: Affine,
}

/// A checked transformer: its description and the layout of its parameters, which the caller owns.
#[derive(Clone, Debug)]
pub struct Vit {
    pub(super) spec: VitSpec,
    pub(super) layout: Layout,
    pub(super) cls_token: Range<usize>,
    pub(super) pos_embed: Range<usize>,
    pub(super) embed: Affine,
    pub(super) blocks: Vec<BlockLayers>,
    pub(super) out_ln: Affine,
    pub(super) out_head: Affine,
}

impl Vit {
    fn new(spec: VitSpec) -> Self {
        let d = spec.d;
        let inputs = spec.channels * spec.patch * spec.patch;
        let mut layout = Layout::default();
        // Three axes, as is usual in PyTorch; they also distinguish these two from weights, which are stored in panels.
        let mut tokens =
            |name: &str, count| layout.push(Unit::Embed, Role::Token, name.to_owned(), &[1, count, d]);
        let cls_token = tokens("cls_token", 1);
        let pos_embed = tokens("pos_embed", 1 + spec.patches());
        let embed = layout.linear(Unit::Embed, "embed", d, inputs);
        let blocks = (0..spec.blocks)
            .map(|l| {
                let unit = Unit::Block(l);
                let name = |part: &str| format!("blocks.{l}.{part}");
                BlockLayers {
                    ln1: layout.norm(unit, &name("ln1"), d, Role::Scale),
                    qkv: layout.linear(unit, &name("qkv"), 3 * d, d),
                    proj: layout.linear(unit, &name("proj"), d, d),
                    ln2: layout.norm(unit, &name("ln2"), d, Role::Scale),
                    fc1: layout.linear(unit, &name("fc1"), spec.mlp, d),
                    fc2: layout.linear(unit, &name("fc2"), d, spec.mlp),
                }
            })
            .collect();
        let out_ln = layout.norm(Unit::Head, "out_ln", d, Role::Scale);
        let out_head = layout.linear(Unit::Head, "out_head", spec.classes, d);
        Self { spec, layout, cls_token, pos_embed, embed, blocks, out_ln, out_head }
    }

    /// The description it was built from.
    pub fn spec(&self) -> &VitSpec {
        &self.spec
    }

    /// Ranges of tokens, a few samples at a time: a layer's output is still cached when the next one reads it.
    pub(super) fn groups(&self, samples: usize) -> impl Iterator<Item = Range<usize>> {
        let tokens = self.tokens();
        let most = GROUP.div_ceil(tokens);
        (0..samples).step_by(most).map(move |i| i * tokens..samples.min(i + most) * tokens)
    }

    /// Tokens of a sample: the class token, then its patches.
    pub(super) fn tokens(&self) -> usize {
        1 + self.spec.patches()
    }
}

/// Tokens per group, at least.
const GROUP: usize = 512;
