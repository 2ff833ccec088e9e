//! The thresholds: the defaults, and those of a run, read from its recipe.

use record::audit::Thresholds;
use toml::Value;

/// The defaults.
pub const THRESHOLDS: Thresholds = Thresholds {
    growth: 50.0,
    floor: 1e-7,
    gain: 0.02,
    solved: 0.05,
    ceiling: 0.03,
    direction: 0.3,
    inert: Some(1e-3),
    useful: Some(0.1),
};

type Field = fn(&mut Thresholds) -> &mut f64;

/// The recipe key of each threshold.
const KEYS: [(&str, Field); 8] = [
    ("protocol.growth", |limits| &mut limits.growth),
    ("protocol.floor", |limits| &mut limits.floor),
    ("protocol.gain", |limits| &mut limits.gain),
    ("protocol.solved", |limits| &mut limits.solved),
    ("protocol.ceiling", |limits| &mut limits.ceiling),
    ("protocol.direction", |limits| &mut limits.direction),
    ("protocol.inert", |limits| limits.inert.get_or_insert(0.0)),
    ("protocol.useful", |limits| limits.useful.get_or_insert(0.0)),
];

/// The thresholds that a recipe states; those that it does not state are the defaults.
///
/// ```
/// use protocol::{THRESHOLDS, Thresholds, thresholds};
/// let recipe = record::flatten("protocol.growth = 20.0".parse()?);
/// let limits = thresholds(|key| recipe.get(key));
/// assert_eq!(limits, Thresholds { growth: 20.0, ..THRESHOLDS });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn thresholds<'a>(value: impl Fn(&str) -> Option<&'a Value>) -> Thresholds {
    let mut limits = THRESHOLDS;
    for (key, field) in KEYS {
        if let Some(number) = value(key).and_then(number) {
            *field(&mut limits) = number;
        }
    }
    limits
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))
}
