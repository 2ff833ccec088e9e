//! What a mark shows, in terms that do not depend on labels. In an SVG each tag is an attribute `data-…`.

use std::collections::BTreeMap;

/// A fact about a mark. Files list them in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tag {
    /// As the table names it.
    Panel,
    /// As the table names it: line, band, bar, range, value, point, cell or guide; or axes, for the frame of a panel.
    Kind,
    /// The quantity, such as `cosine` or `test_accuracy`.
    Series,
    /// As recipes name it.
    Rule,
    /// λ of the penalty; absent without one.
    Penalty,
    /// Present where the blocks are frozen.
    Frozen,
    /// Other modifiers of the rule.
    Modifiers,
    /// The seed; absent from a mean over seeds.
    Seed,
    /// The null whose range is shown, such as `fresh_feedback`.
    Null,
    /// `published` if this program did not measure it.
    Source,
    /// Epochs trained.
    Epoch,
    /// The unit: `embed`, `block 0`, ….
    Unit,
    /// The state h_l, by l.
    State,
    /// The coordinate along the horizontal axis, if it is none of the above; of axes, what that axis says.
    X,
    /// How the horizontal axis is divided: `linear`, `log`, `names`, or `signed` with the largest value drawn evenly.
    XScale,
    /// The value at its left end.
    XLow,
    /// The value at its right end.
    XHigh,
    /// Its names, from 0 on, with `|` between them.
    XNames,
    /// How the vertical axis is divided.
    YScale,
    /// The value at its lower end.
    YLow,
    /// The value at its upper end.
    YHigh,
    /// How the right axis is divided.
    RightScale,
    /// The value at its lower end.
    RightLow,
    /// The value at its upper end.
    RightHigh,
    /// `true` for a line that belongs to the right axis.
    Right,
    /// The value.
    Value,
    /// The lower end of a range.
    Low,
    /// The upper end of a range.
    High,
    /// `false` for an unreliable value.
    Reliable,
    /// `true` for a value of something inert.
    Inert,
}

impl Tag {
    /// Its name in files: that of the variant, its words in lower case with hyphens between them.
    pub(crate) fn name(self) -> String {
        let hyphen = |(i, c): (usize, char)| if i > 0 && c.is_uppercase() { vec!['-', c] } else { vec![c] };
        format!("{self:?}").chars().enumerate().flat_map(hyphen).collect::<String>().to_lowercase()
    }
}

/// What a mark shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meaning(BTreeMap<Tag, String>);

impl Meaning {
    /// Only a quantity.
    pub fn of(series: &str) -> Self {
        Self::default().of_series(series)
    }

    /// Sets the quantity.
    pub fn of_series(self, series: &str) -> Self {
        self.with(Tag::Series, series)
    }

    /// Sets a tag.
    pub fn with(mut self, tag: Tag, value: impl ToString) -> Self {
        self.0.insert(tag, value.to_string());
        self
    }

    /// Sets a tag if there is a value.
    pub fn with_some(self, tag: Tag, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(tag, value),
            None => self,
        }
    }

    /// Adds the tags of `other`, which take precedence.
    pub fn and(mut self, other: &Self) -> Self {
        self.0.extend(other.0.clone());
        self
    }

    /// All tags, in order.
    pub(crate) fn tags(&self) -> impl Iterator<Item = (Tag, &str)> {
        self.0.iter().map(|(tag, value)| (*tag, value.as_str()))
    }
}
