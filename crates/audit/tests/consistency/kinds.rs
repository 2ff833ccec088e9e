//! What runs are tried: sizes, networks, and rules with what they leave open.

use audit::consistency::PlainNetwork;
use nn::MlpSpec;
use rules::{RuleSpec, Value};

/// Inputs, width, classes, samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) inputs: usize,
    pub(crate) d: usize,
    pub(crate) classes: usize,
    pub(crate) rows: usize,
}

pub(crate) const SIZES: Sizes = Sizes { inputs: 7, d: 12, classes: 5, rows: 6 };

/// The rules that have a plain path; the bridges with each condition, and during warm-up by direct feedback.
pub(crate) const RULES: [&str; 12] = [
    "bp",
    "fa",
    "dfa",
    "drtp",
    "sign_symmetry",
    "kolen_pollack",
    "dkp",
    "state_bridge error",
    "state_bridge gradient",
    "credit_bridge error",
    "credit_bridge gradient",
    "credit_bridge warm",
];

/// Rules whose blocks are each given a matrix times a signal from the output.
pub(crate) const DIRECT: [&str; 4] = ["dfa", "dkp", "drtp", "credit_bridge warm"];

/// Width of the nets of bridges: more than a panel of the layout in which they are kept.
pub(crate) const WIDTH: usize = 18;

/// Every kind of network that has a plain path.
pub(crate) fn networks(blocks: usize) -> [PlainNetwork; 6] {
    [
        PlainNetwork::Resmlp { blocks, out_ln: true, skip: true },
        PlainNetwork::Resmlp { blocks, out_ln: false, skip: true },
        PlainNetwork::Resmlp { blocks, out_ln: true, skip: false },
        PlainNetwork::Resmlp { blocks, out_ln: false, skip: false },
        PlainNetwork::Student { blocks, alpha: 0.5, skip: true },
        PlainNetwork::Student { blocks, alpha: 1.0, skip: false },
    ]
}

/// A network to build.
pub(crate) fn net_spec(net: &PlainNetwork, Sizes { inputs, d, classes, .. }: Sizes) -> MlpSpec {
    let spec = match *net {
        PlainNetwork::Resmlp { blocks, out_ln, skip } => {
            MlpSpec { out_ln, skip, ..MlpSpec::resmlp(inputs, d, blocks, classes) }
        }
        PlainNetwork::Student { blocks, alpha, skip } => {
            MlpSpec { skip, ..MlpSpec::student(inputs, d, blocks, classes, alpha) }
        }
        PlainNetwork::Other { .. } => panic!("no such network"),
    };
    MlpSpec { w2_std: 0.3, ..spec }
}

/// One of [`RULES`] as training takes it.
pub(crate) fn rule_spec(rule: &str) -> RuleSpec {
    let (name, kind) = rule.split_once(' ').unwrap_or((rule, ""));
    let condition = if kind == "gradient" { "gradient" } else { "error" };
    let warm_up = if kind == "warm" { 0.2 } else { 0.0 };
    let settings = [
        ("rule.bridge_width", Value::Whole(WIDTH as i64)),
        ("rule.condition", Value::Word(condition)),
        ("rule.warm_up", Value::Real(warm_up)),
    ];
    let keys = RuleSpec::from(name).keys();
    let own = settings.into_iter().filter(|(name, _)| keys.iter().any(|key| key.name == *name));
    RuleSpec::with(name, &own.collect::<Vec<_>>()).expect("its keys")
}
