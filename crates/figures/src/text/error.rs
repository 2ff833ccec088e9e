//! Errors of labels and fonts.

use record::escape;
use std::path::PathBuf;

/// Why a label or font cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum TextError {
    #[error("label `{}`: {problem}", shown(label))]
    Label { label: String, problem: Problem },
    #[error("a text size of {size} points: give a number from 0.5 to 1000")]
    Size { size: f64 },
    #[error("font {}: {problem}", escape::path(path))]
    Font { path: PathBuf, problem: String },
    #[error(
        "no font named `{name}`: choose {}, or give a .ttf or .otf file",
        super::Family::NAMES.map(|known| format!("`{known}`")).join(", ")
    )]
    Family { name: String },
}

/// What is wrong with a label.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum Problem {
    #[error("a `$` opens math that no other `$` closes on the same line; write `\\$` for a dollar sign")]
    Dollar,
    #[error("`\\{0}` is outside of math: put it between dollar signs, or write `\\\\` for a backslash")]
    Outside(String),
    #[error("it holds the control character U+{:04X}: remove it", u32::from(*.0))]
    Control(char),
    #[error("no glyph for {:?} (U+{:04X}): replace it, or choose a font that has it", .0, u32::from(*.0))]
    Glyph(char),
    #[error("it has {length} characters; a label may have at most {most}")]
    Long { length: usize, most: usize },
    #[error("`%` would hide the rest of the math: write `\\%` for a percent sign")]
    Percent,
    #[error("a brace in `${0}$` is not matched")]
    Braces(String),
    #[error("its math is nested more than {0} levels deep")]
    Deep(usize),
    #[error("`\\{0}` cannot be used in a label")]
    Unfit(String),
    #[error("`{0}` is not a colour: write a name such as `red` or six digits such as `#2166ac`, in braces")]
    Colour(String),
    #[error("`${formula}$` is not understood: {reason}")]
    Formula { formula: String, reason: String },
    #[error("`${0}$` is infinitely or absurdly large: correct its lengths")]
    Size(String),
}

impl Problem {
    pub(super) fn in_label(self, label: &str) -> TextError {
        TextError::Label { label: label.to_owned(), problem: self }
    }
}

/// The start of a label, on one line and without control characters.
fn shown(label: &str) -> String {
    const MOST: usize = 80;
    let line = label.replace('\n', "\\n");
    let mut start: String =
        line.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if line.chars().nth(MOST).is_some() {
        start.push('…');
    }
    start
}
