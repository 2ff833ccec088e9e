//! The name of a run and of its directory, and that of a recipe.

use super::expand::Choice;
use super::own_data::DATA;
use super::reader::Reader;
use super::schema::Schema;
use std::path::Path;
use toml::Value;

/// Keys that have a special form in a run's name.
const NAMED: [&str; 7] = [
    "seed",
    "rule.name",
    "rule.frozen",
    "rule.shallow",
    "rule.random_targets",
    "rule.trainable_last",
    "rule.penalty",
];

/// `dfa-frozen-s42`, `dfa-pen0.01-s1`, `bp-lr0.0003-s42`: the rule and its modifiers, everything else that is swept, the seed.
pub(super) fn id(schema: &Schema, choice: &Choice, swept: &[&str]) -> String {
    let read = Reader(choice);
    let mut parts = vec![read.word("rule.name").to_owned()];
    for (key, word) in
        [("rule.frozen", "frozen"), ("rule.shallow", "shallow"), ("rule.random_targets", "random")]
    {
        if read.flag(key) {
            parts.push(word.to_owned());
        }
    }
    if read.whole("rule.trainable_last") >= 0 {
        parts.push(format!("last{}", read.whole("rule.trainable_last")));
    }
    if read.real("rule.penalty") != 0.0 {
        parts.push(format!("pen{}", read.real("rule.penalty")));
    }
    for key in schema.keys().iter().map(|key| key.name) {
        if swept.contains(&key) && !NAMED.contains(&key) && choice.contains_key(key) {
            let name = key.rsplit('.').next().unwrap_or(key);
            parts.push(match &choice[key] {
                Value::String(word) if key == DATA => plain_name(Path::new(word)),
                Value::String(word) => word.clone(),
                Value::Boolean(true) => name.to_owned(),
                Value::Boolean(false) => format!("no-{name}"),
                Value::Array(words) => {
                    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                    format!("{name}{}", words.join("+"))
                }
                value => format!("{name}{value}"),
            });
        }
    }
    parts.push(format!("s{}", read.whole("seed")));
    parts.join("-")
}

/// A recipe's name from that of its file.
///
/// ```
/// assert_eq!(lab::plain_name("recipes/my study.toml".as_ref()), "my-study");
/// ```
pub fn plain_name(file: &Path) -> String {
    let stem = file.file_stem().map_or_else(|| "recipe".into(), |stem| stem.to_string_lossy());
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = stem.trim_start_matches('.').chars().take(100).map(plain).collect();
    // `-` is standard output.
    if name.is_empty() || name == "-" { "recipe".to_owned() } else { name }
}
