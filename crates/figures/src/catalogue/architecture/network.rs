//! The forward path of each network, as its recipe has it.

use crate::plot::{Block, Network, Part};
use crate::reader::{Setting, Trial};

/// The forward path of the network of a setting, if it is known; `trial` has the keys that a setting does not hold.
pub(super) fn network(setting: &Setting, trial: Option<&Trial>) -> Option<Network> {
    let blocks = usize::try_from(setting.blocks?).ok()?;
    let key = |name: &str| trial?.keys.as_ref()?.recipe().get(name).cloned();
    let skips = key("net.skip").and_then(|value| value.as_bool()).unwrap_or(true);
    let alike = |parts: Vec<Part>, skip: bool| vec![Block { parts, skip }; blocks];
    let norm = || part("LN", "LayerNorm");
    let out = |weight: &str| part(weight, "linear");
    Some(match setting.network.as_str() {
        "resmlp" => Network {
            embed: vec![out("$W$")],
            blocks: alike(vec![norm(), out("$W_1$"), part("gelu", "GELU"), out("$W_2$")], skips),
            head: if setting.out_ln == Some(false) { vec![out("$W$")] } else { vec![norm(), out("$W$")] },
        },
        "student" => Network {
            embed: vec![out("$W$")],
            blocks: alike(vec![out("$W_1$"), activation(setting.alpha), out("$W_2$")], skips),
            head: vec![out("$W$")],
        },
        "vit" => {
            let side = key("net.patch").and_then(|value| value.as_integer());
            let patches = side.map_or_else(
                || part("patches", "patches"),
                |n| part(&format!("{n}$\\times${n}"), &format!("patches of {n} x {n}")),
            );
            Network {
                embed: vec![patches, out("$W$"), part("cls, pos", "class token, positions added")],
                blocks: alike(
                    vec![norm(), part("attn", "attention, added"), norm(), part("MLP", "MLP")],
                    true,
                ),
                head: vec![norm(), part("cls", "class token"), out("$W$")],
            }
        }
        "resnet" => Network {
            embed: vec![conv(), batch_norm(), relu()],
            blocks: (0..blocks).map(|l| residual(begins_stage(l, blocks))).collect(),
            head: vec![part("mean", "mean over positions"), out("$W$")],
        },
        "lq" => Network {
            embed: vec![part("given", "given")],
            blocks: alike(
                vec![part("$A_l{-}I$", "given matrix A_l less the identity"), part("noise", "noise")],
                true,
            ),
            head: vec![part("$C$", "given matrix C")],
        },
        _ => return None,
    })
}

fn part(label: &str, words: &str) -> Part {
    Part { label: label.to_owned(), words: words.to_owned() }
}

fn conv() -> Part {
    part("conv", "convolution")
}

fn batch_norm() -> Part {
    part("BN", "BatchNorm")
}

fn relu() -> Part {
    part("relu", "ReLU")
}

/// φ_α of the student.
fn activation(alpha: Option<f64>) -> Part {
    match alpha {
        Some(0.0) => part("identity", "identity"),
        Some(1.0) => part("tanh", "tanh"),
        Some(alpha) => part("$\\varphi_\\alpha$", &format!("{} linear, {alpha} tanh", 1.0 - alpha)),
        None => part("$\\varphi_\\alpha$", "between linear and tanh"),
    }
}

/// Whether block l of the convolutional network is the first of the second or third stage, where the state changes its size.
fn begins_stage(l: usize, blocks: usize) -> bool {
    l > 0 && 3 * l / blocks != 3 * (l - 1) / blocks
}

/// A block of the convolutional network. One that begins a stage has a convolution beside the others in place of the skip.
fn residual(begins_stage: bool) -> Block {
    let mut parts = vec![conv(), batch_norm(), relu(), conv(), batch_norm()];
    if begins_stage {
        parts.push(part("+1$\\times$1", "plus a 1 x 1 convolution of the input with BatchNorm"));
    }
    Block { parts, skip: !begins_stage }
}
