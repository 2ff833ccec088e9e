//! One thing to explain.

use crate::remedy::with_flags;
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
    pub(super) action: Action,
    /// The recipe key or flag that governs it.
    pub(super) key: &'static str,
}

/// What to do.
#[derive(Debug)]
pub(super) enum Action {
    Words(&'static str),
    /// The advice that pages give with this warning.
    Advice(Warning),
}

impl Topic {
    /// A short one: what it means and what to do.
    pub(super) const fn short(
        name: &'static str,
        aliases: &'static [&'static str],
        title: &'static str,
        means: &'static str,
        action: &'static str,
    ) -> Self {
        let action = Action::Words(action);
        Self { name, aliases, title, formula: "", means, why: "", action, key: "" }
    }

    /// A warning.
    pub(super) const fn warning(
        name: &'static str,
        aliases: &'static [&'static str],
        title: &'static str,
        means: &'static str,
        warning: Warning,
    ) -> Self {
        let action = Action::Advice(warning);
        Self { name, aliases, title, formula: "", means, why: "", action, key: "" }
    }

    /// What to do, in a sentence.
    pub(super) fn action(&self) -> String {
        match &self.action {
            Action::Words(words) => (*words).to_owned(),
            Action::Advice(warning) => {
                let advice = advice(warning);
                let words = with_flags(advice.words, advice.remedy);
                format!("{}{}.", words[..1].to_uppercase(), &words[1..])
            }
        }
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
        let action = self.action();
        let parts = [
            (if self.formula.is_empty() { "What it means" } else { "What it measures" }, self.means),
            ("Why it matters", self.why),
            ("What to do", &action),
            ("Set by", self.key),
        ];
        for (heading, words) in parts.into_iter().filter(|(_, words)| !words.is_empty()) {
            text.push_str(&format!("\n{heading}\n{}\n", show::indented(words, 2)));
        }
        text
    }
}

/// Spelling that does not matter: case, and blanks, underscores or hyphens between words.
pub(super) fn normal(word: &str) -> String {
    word.trim().to_lowercase().replace(['_', ' '], "-")
}
