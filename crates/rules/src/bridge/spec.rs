//! The keys of both bridges, the networks that they can train, and the work of their net.

use crate::{Condition, KeyKind, RuleKey, RuleSpec, Value};
use nn::Network;
use tensor::Float;

pub(crate) const CONDITION: RuleKey = RuleKey::new(
    "rule.condition",
    KeyKind::Word(&["error", "gradient"]),
    Value::Word("error"),
    "Condition that the bridge net reads with the state: e_T, or p_L over its root mean square.",
);
pub(crate) const WIDTH: RuleKey = RuleKey::new(
    "rule.bridge_width",
    KeyKind::Whole(1, 1 << 14),
    Value::Whole(256),
    "Width of the bridge net's two hidden layers.",
);
pub(crate) const LR: RuleKey = RuleKey::new(
    "rule.bridge_lr",
    KeyKind::Real(0.0, 1e6),
    Value::Real(0.001),
    "Learning rate of the bridge net's AdamW, constant over the run.",
);

/// Settings of both bridges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BridgeSpec {
    /// The condition, which the net reads with the state and the time.
    pub(crate) condition: Condition,
    /// Width of its two hidden layers.
    pub(crate) width: usize,
    /// Learning rate of its AdamW, constant over the run.
    pub(crate) lr: f64,
}

impl BridgeSpec {
    pub(crate) fn new(spec: &RuleSpec) -> Self {
        Self { condition: condition(spec), width: spec.size(WIDTH.name), lr: spec.real(LR.name) }
    }
}

/// The condition of the net.
pub(crate) fn condition(spec: &RuleSpec) -> Condition {
    if spec.word(CONDITION.name) == "gradient" { Condition::Gradient } else { Condition::Error }
}

/// Why the bridges cannot train a network, if so.
pub(crate) fn unfit<T: Float, N: Network<T>>(net: &N) -> Option<&'static str> {
    let one_size = (0..net.shape().blocks).all(|l| net.state(l) == net.state(l + 1));
    (!one_size).then_some(
        "its bridge net needs hidden states of one size, but in this network the size differs between stages",
    )
}

/// Approximate multiply-adds of the net for one row.
pub(crate) fn work<T: Float, N: Network<T>>(spec: &RuleSpec, net: &N, outputs: f64) -> f64 {
    let width = spec.size(WIDTH.name) as f64;
    let reach = net.state(0).reached_features() as f64;
    width * (reach + width + outputs)
}
