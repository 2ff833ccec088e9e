//! From the keys of a recipe to a network.

use super::reader::Reader;
use data::{DataSpec, ImageShape};
use nn::{Activation, LqSpec, MlpSpec, Net, ResnetSpec, VitSpec};

/// Outputs of the linear-quadratic system.
pub(super) const LQ_OUTPUTS: usize = 10;

/// The linear-quadratic system of the recipe.
pub(super) fn lq(read: &Reader<'_>, blocks: usize) -> LqSpec {
    LqSpec::new(read.size("net.d"), blocks, LQ_OUTPUTS)
}

/// The network for these data, with so many blocks, or why there is none.
pub(super) fn network(read: &Reader<'_>, source: &DataSpec, blocks: usize) -> Result<Net, String> {
    let (name, data) = (read.word("net.name"), source.name());
    let system = matches!(source, DataSpec::Lq(_));
    if system != (name == "lq") {
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
    let (d, classes) = (read.size("net.d"), source.dimensions().classes);
    match name {
        "lq" => lq(read, blocks).build().map(Net::from),
        "vit" => {
            let ImageShape { channels, height, width } = image()?;
            let (patch, heads, mlp) = (read.size("net.patch"), read.size("net.heads"), read.size("net.mlp"));
            VitSpec { channels, height, width, patch, d, blocks, heads, mlp, classes }.build().map(Net::from)
        }
        "resnet" => {
            let ImageShape { channels, height, width } = image()?;
            ResnetSpec { channels, height, width, d, blocks, classes }.build().map(Net::from)
        }
        _ => perceptron(read, source.dimensions().inputs, blocks, classes).build().map(Net::from),
    }
    .map_err(|e| e.to_string())
}

fn perceptron(read: &Reader<'_>, inputs: usize, blocks: usize, classes: usize) -> MlpSpec {
    let resmlp = MlpSpec::resmlp(inputs, read.size("net.d"), blocks, classes);
    let common = MlpSpec { skip: read.flag("net.skip"), w2_std: read.real("net.w2_std"), ..resmlp };
    match read.word("net.name") {
        "student" => MlpSpec {
            activation: Activation::Blend(read.real("net.alpha")),
            block_ln: false,
            out_ln: false,
            ..common
        },
        _ => MlpSpec { out_ln: read.flag("net.out_ln"), ..common },
    }
}
