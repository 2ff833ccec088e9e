//! From the keys of a recipe to a rule and its settings. The rules themselves declare these keys.

use super::reader::Reader;
use super::schema::{Key, Kind, Preset, by};
use rules::{KeyKind, RuleKey, RuleSpec, TABLE, Value, registered};

/// A rule's name and its keys.
type Declared = (&'static str, &'static [RuleKey]);

/// The rules of this program, then the registered ones.
fn declared() -> Vec<Declared> {
    let own = TABLE.iter().map(|info| (info.name, info.keys));
    own.chain(registered().into_iter().map(|rule| (rule.name, rule.keys))).collect()
}

/// The names of all rules.
pub(super) fn names() -> Vec<&'static str> {
    declared().into_iter().map(|(name, _)| name).collect()
}

/// The keys of all rules, each once, in the order of the rules.
pub(super) fn keys() -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    for key in declared().into_iter().flat_map(|(_, keys)| keys) {
        if !keys.iter().any(|known| known.name == key.name) {
            keys.push(schema_key(key));
        }
    }
    keys
}

/// A key with its default and its neutral value under each rule that has it.
fn schema_key(key: &RuleKey) -> Key {
    let by_rule = |value: fn(&RuleKey) -> Value| -> &'static [(&'static str, &'static str)] {
        let of = |(name, keys): Declared| {
            let own = keys.iter().find(|own| own.name == key.name)?;
            Some((name, &*text(value(own)).leak()))
        };
        declared().into_iter().filter_map(of).collect::<Vec<_>>().leak()
    };
    let kind = match key.kind {
        KeyKind::Flag => Kind::Flag,
        KeyKind::Whole(least, most) => Kind::Whole(least, most),
        KeyKind::Real(least, most) => Kind::Real(least, most),
        KeyKind::Word(words) => Kind::Word(words),
        KeyKind::Name => Kind::Name,
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
            KeyKind::Name => Value::Word(read.word(key.name).to_owned().leak()),
        };
        spec.set(key.name, value).unwrap_or_else(|problem| panic!("the schema has checked it: {problem}"));
    }
    spec
}
