//! The list of every key that a recipe may hold. Parsing, defaults, messages and the template all follow from it. What a rule
//! leaves open is declared by the rule itself.

use std::sync::LazyLock;

/// What a key's value may be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of any of these words, which belongs to one run and multiplies nothing.
    Words(&'static [&'static str]),
    /// A whole number between two bounds, both included.
    Whole(i64, i64),
    /// A number between two bounds, both included.
    Real(f64, f64),
    /// true or false.
    Flag,
    /// A short name made of letters, digits, `-`, `_` and `.`.
    Name,
}

/// What holds where a recipe is silent.
#[derive(Clone, Copy, Debug)]
pub enum Preset {
    /// Always this, in TOML.
    Always(&'static str),
    /// Depends on the word that another key holds; a word that is not listed has no such key.
    By(&'static str, &'static [(&'static str, &'static str)]),
}

/// A key of a recipe.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Dotted name.
    pub name: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// What it holds where nothing is said.
    pub default: Preset,
    /// What it means, for the template.
    pub help: &'static str,
}

const fn key(name: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Key {
    Key { name, kind, default: Preset::Always(default), help }
}

/// A key that applies beside some words of another key, with a default for each.
pub(super) const fn by(
    name: &'static str,
    kind: Kind,
    selector: &'static str,
    values: &'static [(&'static str, &'static str)],
    help: &'static str,
) -> Key {
    Key { name, kind, default: Preset::By(selector, values), help }
}

const ANY: i64 = i64::MAX;
/// A count that must fit the memory of a machine; larger ones are slips of the finger.
const COUNT: Kind = Kind::Whole(1, 1 << 32);
const POSITIVE: Kind = Kind::Real(f64::MIN_POSITIVE, f64::MAX);
const POSITIVE_OR_0: Kind = Kind::Real(0.0, f64::MAX);
const SHARE: Kind = Kind::Real(0.0, 1.0);

/// Every key, in the order of the template and of resolved recipes. Lists expand with the last key innermost.
pub static KEYS: LazyLock<Vec<Key>> =
    LazyLock::new(|| [BEFORE_RULE_KEYS, &super::rule::keys(), AFTER_RULE_KEYS].concat());

/// What comes before the keys that the rules declare.
const BEFORE_RULE_KEYS: &[Key] = &[
    key(
        "name",
        Kind::Name,
        "\"experiment\"",
        "Names the folder that the runs go to; the name of the recipe's file where it is left out.",
    ),
    key(
        "data.name",
        Kind::Word(&data::DataSpec::NAMES),
        "\"digits\"",
        "The data set. `creditscope data list` tells what is here.",
    ),
    by(
        "data.augment",
        Kind::Flag,
        "data.name",
        &[("cifar10", "true"), ("cifar100", "true"), ("fashion-mnist", "false")],
        "Random crop (padding 4) and horizontal flip.",
    ),
    by("teacher.inputs", COUNT, "data.name", &[("teacher", "3")], "Features of a sample."),
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
        "Scale of the weights in its blocks: more gain, more bends.",
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
        "Seed of teacher and samples, apart from that of the run.",
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
        "Seed of starts, targets and noise, apart from that of the run.",
    ),
    key("net.name", Kind::Word(&nn::NetKind::NAMES), "\"resmlp\"", "The network."),
    by(
        "net.d",
        COUNT,
        "net.name",
        &[("resmlp", "256"), ("student", "128"), ("vit", "128"), ("resnet", "16"), ("lq", "64")],
        "Width of the hidden states; of a token in vit, channels of the first stage in resnet.",
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
        "Standard deviation of each block's last weights at the start.",
    ),
    by(
        "net.skip",
        Kind::Flag,
        "net.name",
        &[("resmlp", "true"), ("student", "true")],
        "h_{l+1} = h_l + f_l(h_l); false leaves f_l(h_l) alone.",
    ),
    by("net.out_ln", Kind::Flag, "net.name", &[("resmlp", "true")], "LayerNorm before the head."),
    by("net.patch", COUNT, "net.name", &[("vit", "4")], "Side of the square patches that become tokens."),
    by("net.heads", COUNT, "net.name", &[("vit", "4")], "Heads of the attention."),
    by("net.mlp", COUNT, "net.name", &[("vit", "256")], "Width of the MLP in a block."),
    by("net.alpha", SHARE, "net.name", &[("student", "1.0")], "Nonlinearity: 0 is linear, 1 is tanh."),
    key("rule.name", Kind::Word(&rules::NAMES), "\"bp\"", "The learning rule."),
    key(
        "rule.frozen",
        Kind::Flag,
        "false",
        "Leaves every block at its initial value: the baseline of depth utility.",
    ),
    key(
        "rule.trainable_last",
        Kind::Whole(-1, 1 << 16),
        "-1",
        "Trains only the last so many blocks; -1 trains all.",
    ),
    key("rule.shallow", Kind::Flag, "false", "Removes the blocks."),
    key(
        "rule.penalty",
        Kind::Real(0.0, 1e6),
        "0.0",
        "Adds this times the squared norm of each block's branch to its objective.",
    ),
    key(
        "rule.random_targets",
        Kind::Flag,
        "false",
        "Draws the training labels at random, anew in every batch.",
    ),
];

/// What comes after them.
const AFTER_RULE_KEYS: &[Key] = &[
    key("optim.lr", Kind::Real(0.0, 1e6), "0.001", "Learning rate of AdamW."),
    key("optim.beta1", Kind::Real(0.0, 0.999_999), "0.9", "Decay of the first moment."),
    key("optim.beta2", Kind::Real(0.0, 0.999_999_9), "0.999", "Decay of the second moment."),
    key("optim.eps", Kind::Real(0.0, 1.0), "1e-8", "Added to the root of the second moment."),
    key("optim.weight_decay", Kind::Real(0.0, 1e3), "0.01", "Decoupled decay, on every trained parameter."),
    key("train.epochs", Kind::Whole(1, 1 << 32), "100", "Length of the schedule, in epochs."),
    key(
        "train.stop_after",
        Kind::Whole(0, 1 << 32),
        "0",
        "Stops after so many epochs of the schedule; 0 trains to its end.",
    ),
    key("train.batch", COUNT, "128", "Samples a step; the last batch of an epoch may be smaller."),
    key(
        "train.schedule",
        Kind::Word(&["cosine", "constant"]),
        "\"cosine\"",
        "Learning rate by epoch e of E: cosine is lr/2 * (1 + cos(pi e / E)).",
    ),
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
        ],
        "Test samples that norms and cosines are measured on, each epoch.",
    ),
    key(
        "audit.every",
        Kind::Real(0.0, 1e6),
        "2.0",
        "Measures rho, nudge and nulls after epochs 0, 1, r, r^2, ... and the last, r being this; 1 after each, 0 never.",
    ),
    key("audit.samples", COUNT, "128", "Test samples that they are measured on, or all if there are fewer."),
    key("audit.directions", Kind::Whole(1, 4096), "8", "Random directions a sample for rho."),
    key("audit.draws", Kind::Whole(2, 1000), "20", "Draws of each null."),
    key(
        "audit.stop_on",
        Kind::Words(&["D1", "D2"]),
        "[]",
        "Ends a run after the epoch at which one of these checks fires.",
    ),
    key(
        "protocol.growth",
        POSITIVE,
        "50.0",
        "D1 fires where a block multiplies the hidden norm by more than this.",
    ),
    key(
        "protocol.floor",
        Kind::Real(0.0, 1.0),
        "1e-7",
        "D2 fires where the gradient at h_L (mean over 128 samples) is below this.",
    ),
    key("protocol.gain", SHARE, "0.02", "D3 fires where training the blocks gains less accuracy than this."),
    key(
        "protocol.solved",
        POSITIVE_OR_0,
        "0.05",
        "D2 is not assessed where the error at the output is below this.",
    ),
    key(
        "protocol.ceiling",
        SHARE,
        "0.03",
        "D3 is not assessed where the frozen baseline is this close to 1.",
    ),
    key(
        "protocol.direction",
        SHARE,
        "0.3",
        "The direction check advises where gradients of different batches agree more than this.",
    ),
    key("seed", Kind::Whole(0, ANY), "42", "Seed of weights, order, augmentation and feedback."),
];

impl Key {
    /// The key of that name.
    pub fn find(name: &str) -> Option<&'static Key> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// Whether keys have this as their first part.
    pub(super) fn is_section(name: &str) -> bool {
        KEYS.iter().any(|key| key.name.split_once('.').is_some_and(|(section, _)| section == name))
    }

    /// The known section closest to a misspelt one, if any is close.
    pub(super) fn section_like(name: &str) -> Option<&'static str> {
        let sections = KEYS.iter().filter_map(|key| key.name.split_once('.')).map(|(section, _)| section);
        let distance = |section: &&str| strsim::damerau_levenshtein(section, name);
        sections.min_by_key(distance).filter(|section| distance(section) <= 2)
    }

    /// The known name closest to a misspelt one, if any is close. A bare last part counts as well: `lr` is `optim.lr`.
    pub fn suggestion(name: &str) -> Option<&'static str> {
        let last = |name: &'static str| name.rsplit('.').next().unwrap_or(name);
        if let Some(key) = KEYS.iter().find(|key| last(key.name) == name) {
            return Some(key.name);
        }
        let distance = |key: &Key| strsim::damerau_levenshtein(key.name, name);
        KEYS.iter().min_by_key(|key| distance(key)).filter(|key| distance(key) <= 3).map(|key| key.name)
    }
}
