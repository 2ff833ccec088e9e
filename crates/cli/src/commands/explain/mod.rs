//! `creditscope explain`: what a word of an audit means, why it matters and what to do about it.

mod checks;
mod measurements;
mod notation;
mod practice;
mod reasons;
mod rules;
mod standings;
#[cfg(test)]
mod tests;
mod topic;
mod warnings;

use crate::failure::Failure;
use crate::show;
use topic::{Topic, normal};

/// Every topic, under the headings of the list.
fn parts() -> [(&'static str, &'static [Topic]); 8] {
    [
        ("Checks", checks::TOPICS),
        ("Measurements", measurements::TOPICS),
        ("Symbols and words", notation::TOPICS),
        ("Rules", &rules::TOPICS),
        ("Around them", practice::TOPICS),
        ("What the credit of a unit can be", standings::TOPICS),
        ("Why a number is unreliable or undefined", reasons::TOPICS),
        ("Warnings", &warnings::TOPICS),
    ]
}

/// Explains a topic, or lists them all where none is named.
pub(crate) fn run(topic: &str) -> Result<(), Failure> {
    let text = match topic.trim() {
        "" => list(),
        word => find(word).ok_or_else(|| Failure::Input(unknown(word)))?.text(),
    };
    show::print(&text);
    Ok(())
}

fn topics() -> impl Iterator<Item = &'static Topic> {
    parts().into_iter().flat_map(|(_, topics)| topics)
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
    for (heading, topics) in parts() {
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
