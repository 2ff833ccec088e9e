//! A rule with its modifiers: what a line or bar of a figure shows, over all seeds.

use record::audit::Modifiers;
use std::cmp::Ordering;
use std::fmt;

pub(super) use record::rules::place;

/// The modifiers other than penalty and freezing, in words; empty for a plain rule.
pub(super) fn words(modifiers: &Modifiers) -> String {
    let mut words = Vec::new();
    if modifiers.shallow {
        words.push("shallow".to_owned());
    }
    if modifiers.random_targets {
        words.push("random targets".to_owned());
    }
    match modifiers.trainable_last {
        None => {}
        Some(1) => words.push("only the last block trained".to_owned()),
        Some(last) => words.push(format!("only the last {last} blocks trained")),
    }
    words.join(", ")
}

/// A rule with its modifiers. Ordered as legends are: by rule, plain before frozen, then by penalty.
#[derive(Clone, Debug)]
pub struct Variant {
    /// As recipes name it, such as `dfa`.
    pub rule: String,
    /// λ; 0 without a penalty.
    pub penalty: f64,
    /// Whether the blocks are frozen.
    pub frozen: bool,
    /// Other modifiers in words; empty for a plain rule.
    pub modifiers: String,
}

impl Variant {
    /// The rule without any modifier.
    pub fn plain(rule: &str) -> Self {
        Self { rule: rule.to_owned(), penalty: 0.0, frozen: false, modifiers: String::new() }
    }

    /// The rule with a penalty.
    pub fn penalised(rule: &str, penalty: f64) -> Self {
        Self { penalty, ..Self::plain(rule) }
    }

    /// The rule with frozen blocks.
    pub fn frozen(rule: &str) -> Self {
        Self { frozen: true, ..Self::plain(rule) }
    }

    /// Whether there is no modifier at all.
    pub fn is_plain(&self) -> bool {
        self.penalty == 0.0 && !self.frozen && self.modifiers.is_empty()
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rule)?;
        if self.frozen {
            f.write_str(", frozen")?;
        }
        if self.penalty != 0.0 {
            write!(f, ", λ = {}", self.penalty)?;
        }
        if !self.modifiers.is_empty() {
            write!(f, ", {}", self.modifiers)?;
        }
        Ok(())
    }
}

impl Ord for Variant {
    fn cmp(&self, other: &Self) -> Ordering {
        let rules = place(&self.rule).cmp(&place(&other.rule));
        // −0 and 0 are the same penalty.
        let penalties = (self.penalty + 0.0).total_cmp(&(other.penalty + 0.0));
        rules
            .then_with(|| self.modifiers.cmp(&other.modifiers))
            .then_with(|| self.frozen.cmp(&other.frozen))
            .then(penalties)
    }
}

impl PartialOrd for Variant {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Variant {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Variant {}
