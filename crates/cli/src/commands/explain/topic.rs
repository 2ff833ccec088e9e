//! One thing to explain.

use crate::show;

/// A word of an audit with what there is to know about it. What does not apply is empty.
#[derive(Debug, Default)]
pub(super) struct Topic {
    /// The name under which it is listed.
    pub(super) name: &'static str,
    /// Other words for it.
    pub(super) aliases: Vec<String>,
    /// In a few words.
    pub(super) title: &'static str,
    /// As a formula, lines apart.
    pub(super) formula: &'static str,
    /// What it measures or means.
    pub(super) means: String,
    /// The silent failure that it catches.
    pub(super) why: String,
    /// What to do when it fires or turns up.
    pub(super) action: String,
    /// The recipe key or flag that governs it.
    pub(super) key: String,
}

/// Reads pages. Each begins with `# name: title`; below it are paragraphs, each under its heading. What stands before the
/// first page is for those who edit the file.
pub(super) fn read(pages: &'static str) -> Vec<Topic> {
    pages.split("\n# ").skip(1).map(page).collect()
}

fn page(page: &'static str) -> Topic {
    let (title, rest) = page.split_once('\n').unwrap_or((page, ""));
    let (name, title) = title.split_once(": ").unwrap_or((title, ""));
    let mut topic = Topic { name, title, ..Topic::default() };
    for (heading, words) in rest.trim().split("\n\n").filter_map(|part| part.split_once('\n')) {
        let sentence = words.split_whitespace().collect::<Vec<_>>().join(" ");
        match heading {
            "Also" => topic.aliases = sentence.split(", ").map(str::to_owned).collect(),
            "Formula" => topic.formula = words,
            "What it means" => topic.means = sentence,
            "Why it matters" => topic.why = sentence,
            "What to do" => topic.action = sentence,
            "Set by" => topic.key = sentence,
            _ => unreachable!("the pages are part of the program: {name} has `{heading}`"),
        }
    }
    topic
}

impl Topic {
    /// Its name and its aliases.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name).chain(self.aliases.iter().map(String::as_str))
    }

    /// What it is, in a sentence or a few.
    pub(super) fn definition(&self) -> String {
        let parts = [sentence(self.title), self.means.clone()];
        parts.into_iter().filter(|part| part.len() > 1).collect::<Vec<_>>().join(" ")
    }

    /// What is printed.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.name, self.title);
        if !self.formula.is_empty() {
            text.push('\n');
            self.formula.lines().for_each(|line| text.push_str(&format!("    {line}\n")));
        }
        let parts = [
            ("What it means", &self.means),
            ("Why it matters", &self.why),
            ("What to do", &sentence(&self.action)),
            ("Set by", &self.key),
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
