//! One thing to explain.

use crate::remedy::flag;
use crate::show;
use record::audit::Warning;
use report::audit::advice;

/// A word of an audit with what there is to know about it. What does not apply is empty.
#[derive(Debug)]
pub(super) struct Topic {
    /// The name under which it is listed.
    pub(super) name: &'static str,
    /// Other words for it.
    pub(super) aliases: &'static [&'static str],
    /// In a few words.
    pub(super) title: &'static str,
    /// As a formula, lines apart.
    pub(super) formula: &'static str,
    /// What it measures or means.
    pub(super) means: &'static str,
    /// The silent failure that it catches.
    pub(super) why: &'static str,
    /// What to do when it fires or turns up.
    pub(super) action: &'static str,
    /// The recipe key or flag that governs it.
    pub(super) key: &'static str,
}

impl Topic {
    /// A short one: what it means and what to do.
    pub(super) const fn short(
        name: &'static str,
        title: &'static str,
        means: &'static str,
        action: &'static str,
    ) -> Self {
        Self { name, aliases: &[], title, formula: "", means, why: "", action, key: "" }
    }

    /// With other words for it.
    pub(super) const fn also(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// A warning, with the advice that pages give.
    pub(super) fn warning(
        name: &'static str,
        title: &'static str,
        means: &'static str,
        warning: &Warning,
    ) -> Self {
        let (action, remedy) = advice(warning);
        Self { key: remedy.map_or("", flag), ..Self::short(name, title, means, action) }
    }

    /// Its name and its aliases.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// What is printed.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.name, self.title);
        if !self.formula.is_empty() {
            text.push('\n');
            self.formula.lines().for_each(|line| text.push_str(&format!("    {line}\n")));
        }
        let parts = [
            ("What it means", self.means),
            ("Why it matters", self.why),
            ("What to do", &sentence(self.action)),
            ("Set by", self.key),
        ];
        for (heading, words) in parts.into_iter().filter(|(_, words)| !words.is_empty()) {
            text.push_str(&format!("\n{heading}\n{}\n", show::indented(words, 2)));
        }
        text
    }
}

/// Words as a sentence.
fn sentence(words: &str) -> String {
    let end = if words.ends_with('.') { "" } else { "." };
    let mut rest = words.chars();
    let first: String = rest.next().into_iter().flat_map(char::to_uppercase).collect();
    first + rest.as_str() + end
}

/// Spelling that does not matter: case, and blanks, underscores or hyphens between words.
pub(super) fn normal(word: &str) -> String {
    word.trim().to_lowercase().replace(['_', ' '], "-")
}
