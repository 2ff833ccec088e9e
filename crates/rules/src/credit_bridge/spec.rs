//! The keys of the credit bridge and its entry in the table.

use super::value::CreditBridge;
use crate::bridge::{self, BridgeSpec};
use crate::definition::Definition;
use crate::keys::{POSITIVE, SHARE};
use crate::normalise::NORMALISE;
use crate::{Bridged, Formula, KeyKind, RuleKey, RuleSpec, Value};
use nn::Network;
use tensor::Float;

const WARM_UP: RuleKey = RuleKey::new(
    "rule.warm_up",
    SHARE,
    Value::Real(0.2),
    "Share of the schedule during which DFA gives the credit while the bridge learns.",
);
const COPIES: RuleKey = RuleKey::new(
    "rule.copies",
    KeyKind::Whole(1, 4096),
    Value::Whole(8),
    "Number of noisy copies of the next state; the value target is their soft minimum.",
);
const NOISE: RuleKey = RuleKey::new(
    "rule.noise",
    KeyKind::Real(0.0, 1e6),
    Value::Real(0.1),
    "Standard deviation of the noise, in units of the state's root mean square.",
);
const TEMPERATURE: RuleKey =
    RuleKey::new("rule.temperature", POSITIVE, Value::Real(0.1), "Temperature of the soft minimum.");
const EMA: RuleKey = RuleKey::new(
    "rule.ema",
    SHARE,
    Value::Real(0.995),
    "Decay of the bridge net's slow copy: the share of its old value kept at each step.",
);
const MATCHING: RuleKey = RuleKey::new(
    "rule.matching",
    KeyKind::Real(0.0, 1e6),
    Value::Real(1.0),
    "Weight of matching the bridge's gradient at h_L to the true one.",
);

/// Settings of the credit bridge.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueSpec {
    /// Settings of every bridge.
    pub(super) bridge: BridgeSpec,
    /// Share of the schedule during which DFA gives the credit while the bridge learns.
    pub(super) warm_up: f64,
    /// K, the number of noisy copies of the next state.
    pub(super) copies: usize,
    /// Standard deviation of the noise, in units of the state's root mean square.
    pub(super) noise: f64,
    /// Temperature of the soft minimum over them.
    pub(super) temperature: f64,
    /// Share of its old value that the slow copy keeps at each step.
    pub(super) ema: f64,
    /// Weight of matching the gradient at h_L.
    pub(super) matching: f64,
}

impl ValueSpec {
    fn new(spec: &RuleSpec) -> Self {
        Self {
            bridge: BridgeSpec::new(spec),
            warm_up: spec.real(WARM_UP.name),
            copies: spec.size(COPIES.name),
            noise: spec.real(NOISE.name),
            temperature: spec.real(TEMPERATURE.name),
            ema: spec.real(EMA.name),
            matching: spec.real(MATCHING.name),
        }
    }
}

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition {
        keys: &[
            bridge::CONDITION,
            bridge::WIDTH,
            bridge::LR,
            WARM_UP,
            COPIES,
            NOISE,
            TEMPERATURE,
            EMA,
            MATCHING,
            NORMALISE,
        ],
        formula: |spec| Some(Formula::Bridge(Bridged::Value, bridge::condition(spec))),
        unfit: bridge::unfit,
        saved_values: |spec, net| CreditBridge::<T>::values(net, BridgeSpec::new(spec)),
        work: |spec, net, _| {
            let passes = net.shape().blocks as f64 * (spec.size(COPIES.name) as f64 + 6.0) + 12.0;
            passes * bridge::work(spec, net, 1.0)
        },
        ..Definition::new(
            "a_l = ∇V(h_l, l/L, s),   a_embed = a_0",
            "V: a net of the rule's own that learns the future loss from each state, and whose gradient at \
             h_L is matched to p_L. During the first rule.warm_up of the schedule dfa gives the credit.",
            |spec, net, _, seed| Box::new(CreditBridge::new(net, ValueSpec::new(spec), seed)),
        )
    }
}
