//! From the keys of a recipe to a network.

use super::reader::Reader;
use data::{DataSpec, ImageShape};
use nn::{Activation, LqSpec, MlpSpec, Net, NetKind, ResnetSpec, VitSpec};

/// Number of outputs of the linear-quadratic system.
pub(super) const LQ_OUTPUTS: usize = 10;

/// The linear-quadratic system of the recipe.
pub(super) fn lq(read: &Reader<'_>, blocks: usize) -> LqSpec {
    LqSpec::new(read.size("net.d"), blocks, LQ_OUTPUTS)
}

/// The network for these data with this number of blocks, or why there is none.
pub(super) fn network(read: &Reader<'_>, source: &DataSpec, blocks: usize) -> Result<Net, String> {
    let kind = NetKind::from_name(read.word("net.name")).expect("the schema lists the names of networks");
    let name = kind.name();
    let data = source.name();
    let system = matches!(source, DataSpec::Lq(_));
    if system != (kind == NetKind::Lq) {
        return Err(match system {
            true => format!("`net.name` is \"{name}\", but `data.name` is \"{data}\": choose \"lq\""),
            false => format!("`net.name` is \"lq\", but `data.name` is \"{data}\": set data.name=lq as well"),
        });
    }
    let image = || {
        let message =
            format!("`net.name` is \"{name}\", which reads images, but the samples of {data} are vectors");
        source.image().ok_or(message)
    };
    let d = read.size("net.d");
    let classes = source.dimensions().classes;
    let perceptron = || {
        let resmlp = MlpSpec::resmlp(source.dimensions().inputs, d, blocks, classes);
        MlpSpec { skip: read.flag("net.skip"), w2_std: read.real("net.w2_std"), ..resmlp }
    };
    match kind {
        NetKind::Resmlp => MlpSpec { out_ln: read.flag("net.out_ln"), ..perceptron() }.build().map(Net::from),
        NetKind::Student => {
            let activation = Activation::Blend(read.real("net.alpha"));
            MlpSpec { activation, block_ln: false, out_ln: false, ..perceptron() }.build().map(Net::from)
        }
        NetKind::Vit => {
            let ImageShape { channels, height, width } = image()?;
            let patch = read.size("net.patch");
            let heads = read.size("net.heads");
            let mlp = read.size("net.mlp");
            VitSpec { channels, height, width, patch, d, blocks, heads, mlp, classes }.build().map(Net::from)
        }
        NetKind::Resnet => {
            let ImageShape { channels, height, width } = image()?;
            ResnetSpec { channels, height, width, d, blocks, classes }.build().map(Net::from)
        }
        NetKind::Lq => lq(read, blocks).build().map(Net::from),
    }
    .map_err(|e| e.to_string())
}
