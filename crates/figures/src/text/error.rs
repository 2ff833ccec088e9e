//! What can go wrong with text.

use std::path::PathBuf;

/// A label or a font that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TextError {
    /// A label that is not understood.
    #[error("label `{}`: {problem}", shown(label))]
    Label {
        /// The label.
        label: String,
        /// What is not understood.
        problem: Problem,
    },
    /// A size that no text can have.
    #[error("a text size of {size} points: give a number from 0.5 to 1000")]
    Size {
        /// The size.
        size: f64,
    },
    /// A file that is not a font.
    #[error("font {}: {problem}", path.display())]
    Font {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        problem: String,
    },
    /// A name that is not a family's.
    #[error(
        "no font named `{name}`: take {}, or give a .ttf or .otf file",
        super::Family::NAMES.map(|known| format!("`{known}`")).join(", ")
    )]
    Family {
        /// The name.
        name: String,
    },
}

/// What is not understood about a label.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// An odd number of dollar signs in a line.
    #[error("a `$` opens math that no other `$` closes on the same line; write `\\$` for a dollar sign")]
    Dollar,
    /// A command outside of math.
    #[error("`\\{0}` is outside of math: put it between dollar signs, or write `\\\\` for a backslash")]
    Outside(String),
    /// A character that is not meant to be seen.
    #[error("it holds the control character U+{:04X}: take it out", u32::from(*.0))]
    Control(char),
    /// A character without a glyph.
    #[error(
        "no glyph for {:?} (U+{:04X}): write it otherwise, or choose a font that has it",
        .0, u32::from(*.0)
    )]
    Glyph(char),
    /// Too long.
    #[error("it has {length} characters, and {most} are the most that a label may have")]
    Long {
        /// How long.
        length: usize,
        /// How long it may be.
        most: usize,
    },
    /// A percent sign in math, which would hide all that follows.
    #[error("`%` would hide the rest of the math: write `\\%` for a percent sign")]
    Percent,
    /// Braces that do not pair up.
    #[error("a brace in `${0}$` has no partner")]
    Braces(String),
    /// Nested too deeply.
    #[error("its math is nested more than {0} levels deep")]
    Deep(usize),
    /// A command that labels have no use for.
    #[error("`\\{0}` has no place in a label")]
    Unfit(String),
    /// A colour without a name.
    #[error("`{0}` is not a colour: write a name such as `red` or six digits such as `#2166ac`, in braces")]
    Colour(String),
    /// Something the formula layout refuses.
    #[error("`${formula}$` is not understood: {reason}")]
    Formula {
        /// The formula.
        formula: String,
        /// Why not.
        reason: String,
    },
    /// A formula with infinite or absurd measures.
    #[error("`${0}$` comes out infinitely large or absurdly so: mend its lengths")]
    Size(String),
}

impl Problem {
    pub(super) fn of(self, label: &str) -> TextError {
        TextError::Label { label: label.to_owned(), problem: self }
    }
}

/// The beginning of a label, on one line and without what cannot be shown.
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
