//! What a rule trains with one signal: the embedding, or a block.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A unit of a network. In files and tables it is written `embed`, `block 0`, ….
///
/// ```
/// use record::Unit;
/// assert_eq!(Unit::at(0), Unit::Embed);
/// assert_eq!((Unit::at(3).to_string(), Unit::Block(2).state()), ("block 2".to_owned(), 3));
/// assert_eq!("block 2".parse(), Ok(Unit::Block(2)));
/// assert!("block".parse::<Unit>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// The embedding, whose output is h_0.
    Embed,
    /// Block l, whose output is h_{l+1}.
    Block(usize),
}

impl Unit {
    /// The unit whose output is h_`state`: its credit acts there.
    pub fn at(state: usize) -> Self {
        state.checked_sub(1).map_or(Self::Embed, Self::Block)
    }

    /// The index of the state that is its output.
    pub fn state(self) -> usize {
        match self {
            Self::Embed => 0,
            Self::Block(block) => block.saturating_add(1),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Embed => f.pad("embed"),
            Self::Block(block) => f.pad(&format!("block {block}")),
        }
    }
}

/// A word that names no unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a unit: `embed`, `block 0`, …")]
pub struct NoUnit(String);

impl FromStr for Unit {
    type Err = NoUnit;

    fn from_str(word: &str) -> Result<Self, NoUnit> {
        let block = word.strip_prefix("block ").and_then(|block| block.parse().ok()).map(Self::Block);
        let unit = if word == "embed" { Some(Self::Embed) } else { block };
        // One spelling each: `block 07` is not what this program writes.
        unit.filter(|unit| unit.to_string() == word).ok_or_else(|| NoUnit(word.to_owned()))
    }
}

impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Unit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
