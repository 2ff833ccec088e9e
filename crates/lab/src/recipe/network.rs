//! From the keys of a recipe to a network.

use super::reader::Reader;
use data::Dimensions;
use nn::{Activation, MlpSpec, Net};

/// The network for data of these sizes, with so many blocks.
pub(super) fn network(read: &Reader<'_>, sizes: Dimensions, blocks: usize) -> Result<Net, nn::Error> {
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
