//! Options from the text of a file: `figures.toml` for any figure, or the top of a figure's own file.

use super::{KEYS, Options};
use crate::catalogue::composed::section::{Lines, Section};
use crate::catalogue::composed::{CompositionError, parsed};
use record::escape;
use toml::Value;

/// A key with its value, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// For messages: `figures.toml:3`, or a flag with what was given.
    pub place: String,
    /// One of [`KEYS`].
    pub key: String,
    /// As it was written.
    pub value: Value,
}

/// Why options are refused.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {message}")]
pub struct OptionError {
    /// Where it was given.
    pub place: String,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// The options of a file that holds nothing else.
pub fn assignments(text: &str, origin: &str) -> Result<Vec<Assignment>, CompositionError> {
    let lines = Lines { text, origin };
    let root = parsed(&lines)?;
    let top = Section::checked(&lines, root.get_ref(), 0, &[&KEYS], None)?;
    from(&top, None)
}

/// The options among the keys of a table, each checked by itself; `other` is a key that means something else there.
pub(in crate::catalogue) fn from(
    section: &Section<'_, '_>,
    other: Option<&str>,
) -> Result<Vec<Assignment>, CompositionError> {
    let mut found = Vec::new();
    for key in KEYS.iter().filter(|key| Some(key.name) != other) {
        let entry = section.get(key.name);
        let Some(value) = entry.value.clone() else { continue };
        let wrong = |why: String| entry.error(format!("`{}`: {}", key.name, escape::visible(&why)));
        Options::default().set(key.name, &value).map_err(wrong)?;
        found.push(Assignment { place: entry.place(), key: key.name.to_owned(), value });
    }
    Ok(found)
}

impl Options {
    /// The options that these set in turn, so that later ones override earlier ones.
    pub fn of<'a>(assignments: impl IntoIterator<Item = &'a Assignment>) -> Result<Self, OptionError> {
        let mut options = Self::default();
        for Assignment { place, key, value } in assignments {
            options.set(key, value).map_err(|message| OptionError {
                place: place.clone(),
                message: escape::visible(&message).into_owned(),
            })?;
        }
        Ok(options)
    }
}
