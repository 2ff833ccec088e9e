//! From the keys of a recipe to a network.

use super::reader::Reader;
use data::Source;
use nn::{Activation, LqSpec, MlpSpec, Net};

/// Outputs of the linear-quadratic system.
pub(super) const LQ_OUTPUTS: usize = 10;

/// The linear-quadratic system of the recipe.
pub(super) fn lq(read: &Reader<'_>, blocks: usize) -> LqSpec {
    LqSpec::new(read.size("net.d"), blocks, LQ_OUTPUTS)
}

/// The network for these data, with so many blocks, or why there is none.
pub(super) fn network(read: &Reader<'_>, source: &Source, blocks: usize) -> Result<Net, String> {
    let (name, sizes) = (read.word("net.name"), source.dimensions());
    let system = matches!(source, Source::Lq(_));
    if system != (name == "lq") {
        let (data, other) = (source.name(), if system { "\"lq\"" } else { "another" });
        return Err(format!("`net.name` is \"{name}\", but `data.name` is \"{data}\": choose {other}"));
    }
    perceptron_or_system(read, sizes, blocks).map_err(|e| e.to_string())
}

fn perceptron_or_system(read: &Reader<'_>, sizes: data::Dimensions, blocks: usize) -> Result<Net, nn::Error> {
    if read.word("net.name") == "lq" {
        return lq(read, blocks).build().map(Net::from);
    }
    let resmlp = MlpSpec::resmlp(sizes.inputs, read.size("net.d"), blocks, sizes.classes);
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
    .build()
    .map(Net::from)
}
