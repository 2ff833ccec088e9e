//! `creditscope explain`: what a word of an audit means, why it matters and what to do about it. What can be written down is in
//! `pages/`; the pages of rules and the advice of warnings come from where the program has them.

mod published;
mod rules;
#[cfg(test)]
mod tests;
mod topic;
mod warnings;

use crate::failure::Failure;
use crate::show;
use std::sync::LazyLock;
use topic::{Topic, normal, read};

/// Every topic, under the headings of the list.
static PARTS: LazyLock<[(&str, Vec<Topic>); 8]> = LazyLock::new(|| {
    [
        ("Checks", read(published::quoted(include_str!("pages/checks.txt")))),
        ("Measurements", read(include_str!("pages/measurements.txt"))),
        ("Symbols and words", read(include_str!("pages/notation.txt"))),
        ("Rules", rules::topics()),
        ("Around them", read(published::quoted(include_str!("pages/practice.txt")))),
        ("What the credit of a unit can be", read(include_str!("pages/standings.txt"))),
        ("Why a number is unreliable or undefined", read(include_str!("pages/reasons.txt"))),
        ("Warnings", warnings::topics()),
    ]
});

/// Explains a topic, or lists them all where none is named.
pub(crate) fn run(topic: &str) -> Result<(), Failure> {
    let text = match topic.trim() {
        "" => list(),
        word => find(word).ok_or_else(|| Failure::Input(unknown(word)))?.text(),
    };
    show::print(&text);
    Ok(())
}

/// The words of a page with what they mean: checks, measurements, symbols, standings, reasons, and these rules.
pub(crate) fn words(rules: &[&str]) -> Vec<(String, String)> {
    let is_used = |heading: &str, topic: &Topic| match heading {
        "Rules" => rules.contains(&topic.name),
        "Around them" | "Warnings" => false,
        _ => true,
    };
    let all = PARTS.iter().flat_map(|(heading, topics)| topics.iter().map(move |topic| (*heading, topic)));
    let word = |(_, topic): (&str, &Topic)| (topic.name.to_owned(), topic.definition());
    all.filter(|(heading, topic)| is_used(heading, topic)).map(word).collect()
}

fn topics() -> impl Iterator<Item = &'static Topic> {
    PARTS.iter().flat_map(|(_, topics)| topics)
}

/// The topic of that name or alias, however it is spelt.
fn find(word: &str) -> Option<&'static Topic> {
    let word = normal(word);
    topics().find(|topic| topic.names().any(|name| normal(name) == word))
}

fn unknown(word: &str) -> String {
    let near = |name: &&str| strsim::damerau_levenshtein(&normal(name), &normal(word));
    let names = topics().flat_map(Topic::names);
    // Further off it is another word.
    let nearest = names.min_by_key(near).filter(|name| 3 * near(name) <= word.chars().count());
    let suggestion = nearest.map_or_else(String::new, |name| format!(" did you mean `{name}`?"));
    format!("nothing is known about `{word}`:{suggestion} `creditscope explain` lists what is")
}

/// All topics, a line each; the rarer words by name alone.
fn list() -> String {
    let mut text = String::new();
    for (heading, topics) in &*PARTS {
        text.push_str(&format!("{heading}\n"));
        let short = topics.iter().all(|topic| topic.formula.is_empty() && topic.why.is_empty());
        if short {
            let names: Vec<&str> = topics.iter().map(|topic| topic.name).collect();
            text.push_str(&format!("{}\n\n", show::indented(&names.join(", "), 2)));
            continue;
        }
        let width = topics.iter().map(|topic| topic.name.chars().count()).max().unwrap_or(0);
        for topic in topics {
            text.push_str(&format!("  {:<width$}  {}\n", topic.name, topic.title));
        }
        text.push('\n');
    }
    text + "For one of them:  creditscope explain D1\n"
}
