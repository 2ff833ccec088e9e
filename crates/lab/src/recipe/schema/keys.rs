//! All keys of a recipe, in the order of the template and of resolved recipes. Lists are expanded with the last key innermost.

use super::key::{Key, Kind, by, key};

const ANY: i64 = i64::MAX;
/// A count that must fit in memory; larger values are mistakes.
const COUNT: Kind = Kind::Whole(1, 1 << 32);
const POSITIVE: Kind = Kind::Real(f64::MIN_POSITIVE, f64::MAX);
const POSITIVE_OR_0: Kind = Kind::Real(0.0, f64::MAX);
const SHARE: Kind = Kind::Real(0.0, 1.0);

/// The recipe's name and its data.
pub(super) const DATA: &[Key] = &[
    key(
        "name",
        Kind::Name,
        "\"experiment\"",
        "Name of the folder for the runs; by default the name of the recipe's file.",
    )
    .outside_identity(),
    key("data.name", Kind::WordOrFile(&data::DataSpec::NAMES), "\"digits\"", "The data set."),
    by(
        "data.augment",
        Kind::Flag,
        "data.name",
        &[("cifar10", "true"), ("cifar100", "true"), ("fashion-mnist", "false"), (".npz", "false")],
        "Random crop (padding 4) and horizontal flip.",
    ),
    key(
        "data.train_samples",
        Kind::Whole(0, 1 << 32),
        "0",
        "Trains on so many samples, drawn by the seed; the others validate, beside the test set. 0 trains on all.",
    ),
    by("teacher.inputs", COUNT, "data.name", &[("teacher", "3")], "Number of input features."),
    by(
        "teacher.width",
        COUNT,
        "data.name",
        &[("teacher", "64")],
        "Width of the network that gives the labels.",
    ),
    by("teacher.blocks", Kind::Whole(0, 1 << 16), "data.name", &[("teacher", "2")], "Its blocks."),
    by(
        "teacher.gain",
        POSITIVE,
        "data.name",
        &[("teacher", "3.0")],
        "Scale of the weights in its blocks; a larger gain makes it more nonlinear.",
    ),
    by(
        "teacher.bias",
        Kind::Real(0.0, 1e6),
        "data.name",
        &[("teacher", "1.0")],
        "Standard deviation of the biases in its blocks.",
    ),
    by("teacher.classes", Kind::Whole(2, 256), "data.name", &[("teacher", "10")], "Classes."),
    by("teacher.train", COUNT, "data.name", &[("teacher", "40000")], "Training samples."),
    by("teacher.test", COUNT, "data.name", &[("teacher", "4000")], "Test samples."),
    by(
        "teacher.seed",
        Kind::Whole(0, ANY),
        "data.name",
        &[("teacher", "0")],
        "Seed of teacher and samples, independent of the run's seed.",
    ),
    by(
        "lq.train",
        COUNT,
        "data.name",
        &[("lq", "25600")],
        "Training samples of the linear-quadratic system.",
    ),
    by("lq.test", COUNT, "data.name", &[("lq", "1280")], "Test samples."),
    by(
        "lq.seed",
        Kind::Whole(0, ANY),
        "data.name",
        &[("lq", "0")],
        "Seed of initial states, targets and noise, independent of the run's seed.",
    ),
];

/// The network.
pub(super) const NETWORK: &[Key] = &[
    key("net.name", Kind::Word(&nn::NetKind::NAMES), "\"resmlp\"", "The network."),
    by(
        "net.d",
        COUNT,
        "net.name",
        &[("resmlp", "256"), ("student", "128"), ("vit", "128"), ("resnet", "16"), ("lq", "64")],
        "Width of the hidden states; token width in vit, channels of the first stage in resnet.",
    ),
    by(
        "net.blocks",
        Kind::Whole(0, 1 << 16),
        "net.name",
        &[("resmlp", "4"), ("student", "4"), ("vit", "4"), ("resnet", "6"), ("lq", "12")],
        "Number of residual blocks, L.",
    ),
    by(
        "net.w2_std",
        Kind::Real(0.0, 1e6),
        "net.name",
        &[("resmlp", "0.01"), ("student", "0.01")],
        "Initial standard deviation of each block's last weights.",
    ),
    by(
        "net.skip",
        Kind::Flag,
        "net.name",
        &[("resmlp", "true"), ("student", "true")],
        "h_{l+1} = h_l + f_l(h_l); if false, f_l(h_l) alone.",
    ),
    by("net.out_ln", Kind::Flag, "net.name", &[("resmlp", "true")], "LayerNorm before the head."),
    by("net.patch", COUNT, "net.name", &[("vit", "4")], "Side of the square patches that become tokens."),
    by("net.heads", COUNT, "net.name", &[("vit", "4")], "Number of attention heads."),
    by("net.mlp", COUNT, "net.name", &[("vit", "256")], "Width of the MLP in a block."),
    by("net.alpha", SHARE, "net.name", &[("student", "1.0")], "Nonlinearity: 0 is linear, 1 is tanh."),
];

/// The optimiser and the schedule.
pub(super) const TRAINING: &[Key] = &[
    key("optim.lr", Kind::Real(0.0, 1e6), "0.001", "Learning rate of AdamW."),
    key("optim.beta1", Kind::Real(0.0, 0.999_999), "0.9", "Decay of the first moment."),
    key("optim.beta2", Kind::Real(0.0, 0.999_999_9), "0.999", "Decay of the second moment."),
    key("optim.eps", Kind::Real(0.0, 1.0), "1e-8", "Added to the root of the second moment."),
    key("optim.weight_decay", Kind::Real(0.0, 1e3), "0.01", "Decoupled decay, on every trained parameter."),
    key(
        "optim.clip",
        Kind::Real(0.0, 1e6),
        "0.0",
        "Scales the gradient of a unit down to this norm before AdamW; 0 does not.",
    ),
    key(
        "optim.clip_units",
        Kind::Word(&["blocks", "all"]),
        "\"blocks\"",
        "Clips each block by itself, or the embedding and the head (with its LayerNorm) as well.",
    ),
    key("train.epochs", Kind::Whole(1, 1 << 32), "100", "Length of the schedule, in epochs."),
    key(
        "train.stop_after",
        Kind::Whole(0, 1 << 32),
        "0",
        "Stops after this many epochs of the schedule; 0 trains to its end.",
    )
    .outside_identity(),
    key("train.batch", COUNT, "128", "Samples per step; the last batch of an epoch may be smaller."),
    key(
        "train.schedule",
        Kind::Word(&["cosine", "constant"]),
        "\"cosine\"",
        "Learning rate by epoch e of E: cosine is lr/2 * (1 + cos(pi e / E)).",
    ),
];

/// Measurements during training and the thresholds of the checks. None of them affects training.
pub(super) const MEASUREMENT: &[Key] = &[
    by(
        "eval.samples",
        COUNT,
        "data.name",
        &[
            ("cifar10", "1280"),
            ("cifar100", "1280"),
            ("mnist", "1280"),
            ("fashion-mnist", "1280"),
            ("teacher", "1280"),
            ("digits", "360"),
            ("lq", "1280"),
            (".npz", "1280"),
        ],
        "Number of test samples for norms and cosines, each epoch; of a file of your own at most those there are.",
    )
    .outside_identity(),
    key(
        "audit.every",
        Kind::Real(0.0, 1e6),
        "2.0",
        "Measures rho, nudge and nulls after epochs 0, 1, r, r^2, ... and the last, where r is this value; 1: every epoch, 0: never.",
    )
    .outside_identity(),
    key("audit.samples", COUNT, "128", "Number of test samples for these, or all if there are fewer.").outside_identity(),
    key("audit.directions", Kind::Whole(1, 4096), "8", "Random directions per sample for rho.").outside_identity(),
    key("audit.draws", Kind::Whole(2, 1000), "20", "Draws of each null.").outside_identity(),
    key(
        "audit.stop_on",
        Kind::Words(&["D1", "D2"]),
        "[]",
        "Ends a run after the epoch at which one of these checks fires.",
    )
    .outside_identity(),
    key(
        "protocol.growth",
        POSITIVE,
        "50.0",
        "D1 fires if a block multiplies the hidden norm by more than this.",
    )
    .outside_identity(),
    key(
        "protocol.floor",
        Kind::Real(0.0, 1.0),
        "1e-7",
        "D2 fires if the gradient at h_L (mean over 128 samples) is below this.",
    )
    .outside_identity(),
    key("protocol.gain", SHARE, "0.02", "D3 fires if training the blocks gains less accuracy than this.").outside_identity(),
    key(
        "protocol.solved",
        POSITIVE_OR_0,
        "0.05",
        "D2 is not assessed if the error at the output is below this.",
    )
    .outside_identity(),
    key(
        "protocol.ceiling",
        SHARE,
        "0.03",
        "D3 is not assessed if the frozen baseline is this close to 1.",
    )
    .outside_identity(),
    key(
        "protocol.direction",
        SHARE,
        "0.3",
        "The direction check advises if the agreement between gradients of different batches exceeds this.",
    )
    .outside_identity(),
    key(
        "protocol.inert",
        SHARE,
        "1e-3",
        "A unit is inert if one step of length optim.lr along the true gradient changes the loss by less than this share.",
    )
    .outside_identity(),
    key(
        "protocol.useful",
        SHARE,
        "0.1",
        "Credit is called useful from this cosine on, and from this share of the gradient's own nudge.",
    )
    .outside_identity(),
];

/// The seed.
pub(super) const SEED: &[Key] =
    &[key("seed", Kind::Whole(0, ANY), "42", "Seed of weights, order, augmentation and feedback.")];
