//! What a mark on the page stands for, by names that labels, fonts and languages do not change. Files that can carry
//! them keep them beside the mark: in an SVG, each tag is an attribute `data-…`.

use std::collections::BTreeMap;

/// One thing to know about a mark. Files list them in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tag {
    /// The panel, as the table names it.
    Panel,
    /// The kind of mark, as the table names it: line, band, bar, range, value, point or guide.
    Kind,
    /// The quantity, such as `cosine` or `test_accuracy`.
    Series,
    /// The rule, as recipes name it.
    Rule,
    /// λ of the penalty; absent without one.
    Penalty,
    /// Present where the blocks are frozen.
    Frozen,
    /// Other modifiers of the rule.
    Modifiers,
    /// The seed; absent from a mean over seeds.
    Seed,
    /// The chance that a range stands for, such as `fresh_feedback`.
    Null,
    /// `published` where this program did not measure it.
    Source,
    /// Epochs trained.
    Epoch,
    /// The unit: `embed`, `block 0`, ….
    Unit,
    /// The state h_l, by l.
    State,
    /// The value along the horizontal axis, where it is none of the above.
    X,
    /// The value.
    Value,
    /// The lower end of a range.
    Low,
    /// The upper end of a range.
    High,
    /// `false` for an unreliable value.
    Reliable,
}

impl Tag {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Panel => "panel",
            Self::Kind => "kind",
            Self::Series => "series",
            Self::Rule => "rule",
            Self::Penalty => "penalty",
            Self::Frozen => "frozen",
            Self::Modifiers => "modifiers",
            Self::Seed => "seed",
            Self::Null => "null",
            Self::Source => "source",
            Self::Epoch => "epoch",
            Self::Unit => "unit",
            Self::State => "state",
            Self::X => "x",
            Self::Value => "value",
            Self::Low => "low",
            Self::High => "high",
            Self::Reliable => "reliable",
        }
    }
}

/// What a mark stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meaning(BTreeMap<Tag, String>);

impl Meaning {
    /// Of a quantity.
    pub fn of(series: &str) -> Self {
        Self::default().of_series(series)
    }

    /// The same of a quantity.
    pub fn of_series(self, series: &str) -> Self {
        self.with(Tag::Series, series)
    }

    /// With one more thing known; in place of what was known before.
    pub fn with(mut self, tag: Tag, value: impl ToString) -> Self {
        self.0.insert(tag, value.to_string());
        self
    }

    /// The same where there is a value, unchanged where there is none.
    pub fn with_some(self, tag: Tag, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(tag, value),
            None => self,
        }
    }

    /// With what another knows, which comes first.
    pub fn and(mut self, other: &Self) -> Self {
        self.0.extend(other.0.clone());
        self
    }

    /// What is known of a tag.
    pub fn get(&self, tag: Tag) -> Option<&str> {
        self.0.get(&tag).map(String::as_str)
    }

    /// All that is known, in the order of the tags.
    pub fn tags(&self) -> impl Iterator<Item = (Tag, &str)> {
        self.0.iter().map(|(tag, value)| (*tag, value.as_str()))
    }
}
