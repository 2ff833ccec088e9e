//! From the keys of a recipe to a rule and its settings. The rules themselves declare these keys.

use super::reader::Reader;
use super::schema::{Key, Kind, Preset, by};
use rules::{KeyKind, RuleInfo, RuleKey, RuleSpec, TABLE, Value};

/// The keys of all rules, each once, in the order of the rules.
pub(super) fn keys() -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    for key in TABLE.iter().flat_map(|info| info.keys) {
        if !keys.iter().any(|known| known.name == key.name) {
            keys.push(schema_key(key));
        }
    }
    keys
}

/// A key with its default and its neutral value under each rule that has it.
fn schema_key(key: &RuleKey) -> Key {
    let by_rule = |value: fn(&RuleKey) -> Value| -> &'static [(&'static str, &'static str)] {
        let of = |info: &RuleInfo| {
            let own = info.keys.iter().find(|own| own.name == key.name)?;
            Some((info.name, &*text(value(own)).leak()))
        };
        TABLE.iter().filter_map(of).collect::<Vec<_>>().leak()
    };
    let kind = match key.kind {
        KeyKind::Flag => Kind::Flag,
        KeyKind::Whole(least, most) => Kind::Whole(least, most),
        KeyKind::Real(least, most) => Kind::Real(least, most),
        KeyKind::Word(words) => Kind::Word(words),
    };
    let neutral = Preset::By("rule.name", by_rule(|key| key.neutral));
    Key { neutral, ..by(key.name, kind, "rule.name", by_rule(|key| key.default), key.help) }
}

/// A value in TOML.
fn text(value: Value) -> String {
    match value {
        Value::Flag(value) => value.to_string(),
        Value::Whole(value) => value.to_string(),
        // Debug keeps the decimal point of a whole number.
        Value::Real(value) => format!("{value:?}"),
        Value::Word(word) => format!("\"{word}\""),
    }
}

/// The rule with the recipe's values for its keys.
pub(super) fn rule(read: &Reader<'_>) -> RuleSpec {
    let mut spec = RuleSpec::from(read.word("rule.name"));
    for key in spec.keys() {
        let value = match key.kind {
            KeyKind::Flag => Value::Flag(read.flag(key.name)),
            KeyKind::Whole(..) => Value::Whole(read.whole(key.name)),
            KeyKind::Real(..) => Value::Real(read.real(key.name)),
            KeyKind::Word(words) => {
                let word = read.word(key.name);
                Value::Word(words.iter().find(|known| **known == word).unwrap_or_else(|| panic!("{word}")))
            }
        };
        spec.set(key.name, value).unwrap_or_else(|problem| panic!("the schema has checked it: {problem}"));
    }
    spec
}
