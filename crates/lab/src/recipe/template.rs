//! The commented recipe that `creditscope init` writes.

use super::schema::{KEYS, Key, Kind, Preset};
use std::fmt::Write;

/// A recipe with every key, its meaning and its default. The keys of the common case are set, the rest commented.
pub fn template(name: &str) -> String {
    const SET: [(&str, &str); 6] = [
        ("data.name", "\"cifar10\""),
        ("net.d", "256"),
        ("net.blocks", "4"),
        ("rule.name", "[\"bp\", \"fa\", \"dfa\"]"),
        ("rule.frozen", "[false, true]"),
        ("train.epochs", "100"),
    ];
    let mut text = format!(
        "# A Creditscope recipe. Any key may be a list; the runs are then the product of all lists.\n\
         # Commented lines show defaults. See the runs and their cost with: creditscope run FILE --dry-run\n\n\
         name = \"{name}\"\nseed = [42, 123, 456]\n"
    );
    let mut section = "";
    for key in KEYS.iter() {
        let Some((group, short)) = key.name.split_once('.') else { continue };
        if group != section {
            section = group;
            let _ = writeln!(text, "\n[{group}]");
        }
        let set = SET.iter().find(|(name, _)| *name == key.name);
        let (mark, value, only) = match (set, key.default) {
            (Some((_, value)), _) => ("", *value, String::new()),
            (None, Preset::Always(value)) => ("# ", value, String::new()),
            (None, Preset::By(selector, values)) => ("# ", values[0].1, condition(selector, values)),
        };
        let words = match key.kind {
            Kind::Word(words) => format!(" One of {}.", words.join(", ")),
            Kind::Words(words) => format!(" Any of {}.", words.join(", ")),
            _ => String::new(),
        };
        let _ = writeln!(text, "{:<34} # {}{words}{only}", format!("{mark}{short} = {value}"), key.help);
    }
    text
}

/// Where a key applies, if not everywhere.
fn condition(selector: &str, values: &[(&str, &str)]) -> String {
    let everywhere = match Key::find(selector).map(|key| key.kind) {
        Some(Kind::Word(words)) => words.len() == values.len(),
        _ => false,
    };
    let words: Vec<&str> = values.iter().map(|(word, _)| *word).collect();
    if everywhere { String::new() } else { format!(" Only where {selector} is {}.", words.join(" or ")) }
}
