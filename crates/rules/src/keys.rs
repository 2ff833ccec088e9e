//! Recipe keys that belong to a rule: the kind of each, its default, and its meaning.

/// The values that a key accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyKind {
    /// true or false.
    Flag,
    /// A whole number between two bounds, both included.
    Whole(i64, i64),
    /// A number between two bounds, both included.
    Real(f64, f64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A short name made of letters, digits, `-`, `_` and `.`.
    Name,
}

/// The value of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Of a [`KeyKind::Flag`].
    Flag(bool),
    /// Of a [`KeyKind::Whole`].
    Whole(i64),
    /// Of a [`KeyKind::Real`].
    Real(f64),
    /// Of a [`KeyKind::Word`] or a [`KeyKind::Name`].
    Word(&'static str),
}

/// A key of a rule. Rules that share a key share its constant, so that kind and meaning are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleKey {
    /// Its name in recipes, such as `rule.decay`.
    pub name: &'static str,
    /// The values that it accepts.
    pub kind: KeyKind,
    /// Its value if the recipe does not set it.
    pub default: Value,
    /// The rule's behaviour before it had the key. It applies to records without the key and never changes.
    pub neutral: Value,
    /// Its meaning, for the template.
    pub help: &'static str,
}

/// A number above 0.
pub(crate) const POSITIVE: KeyKind = KeyKind::Real(f64::MIN_POSITIVE, f64::MAX);
/// A number from 0 to 1.
pub(crate) const SHARE: KeyKind = KeyKind::Real(0.0, 1.0);

/// The key of rules whose feedback learns beside forward weights. Which weights these are, each rule's page says.
pub(crate) const DECAY: RuleKey = RuleKey::new(
    "rule.decay",
    KeyKind::Real(0.0, 1e3),
    Value::Real(0.15),
    "Decay of the feedback and of the weights that it follows. Replaces optim.weight_decay for them.",
);

impl RuleKey {
    /// A key whose default is what its rule did before the key existed. A default that changes later leaves that behind as the
    /// neutral value: `RuleKey { default, ..key }`.
    pub(crate) const fn new(name: &'static str, kind: KeyKind, default: Value, help: &'static str) -> Self {
        Self { name, kind, default, neutral: default, help }
    }

    /// Whether the key accepts this value.
    pub(crate) fn admits(&self, value: Value) -> bool {
        match (self.kind, value) {
            (KeyKind::Flag, Value::Flag(_)) => true,
            (KeyKind::Whole(least, most), Value::Whole(value)) => (least..=most).contains(&value),
            (KeyKind::Real(least, most), Value::Real(value)) => (least..=most).contains(&value),
            (KeyKind::Word(words), Value::Word(word)) => words.contains(&word),
            (KeyKind::Name, Value::Word(_)) => true,
            _ => false,
        }
    }
}
