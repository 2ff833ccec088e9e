//! What a recipe changes about a rule.

use crate::baseline::{Recipe, is_frozen};
use record::audit::Modifiers;
use toml::Value;

/// The modifiers that the recipe of a network with so many blocks states. Freezing all blocks is none of them: it makes a
/// baseline. Training the last L of L blocks is training them all.
///
/// ```
/// use protocol::modifiers;
/// let recipe = record::flatten("rule.penalty = 0.01\nrule.trainable_last = 4".parse()?);
/// assert_eq!(modifiers(&recipe, 4).penalty, 0.01);
/// assert_eq!((modifiers(&recipe, 4).trainable_last, modifiers(&recipe, 6).trainable_last), (None, Some(4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn modifiers(recipe: &Recipe, blocks: u64) -> Modifiers {
    let flag = |key: &str| recipe.get(key).and_then(Value::as_bool) == Some(true);
    let number = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
    let last = recipe.get("rule.trainable_last").and_then(Value::as_integer);
    let real = |key: &str| recipe.get(key).and_then(number).unwrap_or(0.0);
    Modifiers {
        penalty: real("rule.penalty"),
        trainable_last: last
            .and_then(|last| u64::try_from(last).ok())
            .filter(|last| *last < blocks && !is_frozen(recipe)),
        shallow: flag("rule.shallow"),
        random_targets: flag("rule.random_targets"),
        normalise: recipe.get("rule.normalise").and_then(Value::as_str).unwrap_or_default().to_owned(),
        clip: real("optim.clip"),
    }
}
