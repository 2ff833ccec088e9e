//! The commented recipe that `creditscope init` writes.

use super::schema::{Key, Kind, Preset, Schema};
use std::fmt::Write;

/// The choices of the recipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The data set.
    pub data: String,
    /// The network; by default the linear-quadratic system for its data, otherwise the residual MLP.
    pub net: Option<String>,
    /// The rules.
    pub rules: Vec<String>,
    /// Whether to list every key, including those that do not apply.
    pub all: bool,
}

impl Default for Template {
    /// Backpropagation and two kinds of feedback alignment on CIFAR-10.
    fn default() -> Self {
        let rules = ["bp", "fa", "dfa"].map(str::to_owned).to_vec();
        Self { data: "cifar10".to_owned(), net: None, rules, all: false }
    }
}

/// A recipe with every key that applies, its meaning and its default. The most common keys are set, the others are commented
/// out.
pub fn template(name: &str, about: &Template) -> String {
    let mut text = format!(
        "# A Creditscope recipe. Any key may be a list; the runs are then the product of all lists.\n\
         # Commented lines show defaults. See the runs and their cost with: creditscope run FILE --dry-run\n\n\
         name = \"{name}\"\nseed = [42, 123, 456]\n"
    );
    let mut section = "";
    for key in Schema::today().keys() {
        let (Some(group), Some(value)) = (key.section(), about.value(key)) else { continue };
        if group != section {
            section = group;
            let _ = writeln!(text, "\n[{group}]");
        }
        let mark = if about.sets(key).is_some() { "" } else { "# " };
        let words = match key.kind {
            Kind::Word(words) => format!(" One of {}.", words.join(", ")),
            Kind::WordOrFile(words) => {
                format!(" One of {}, or the path of an .npz file.", words.join(", "))
            }
            Kind::Words(words) => format!(" Any of {}.", words.join(", ")),
            _ => String::new(),
        };
        let line = format!("{mark}{} = {value}", key.short());
        let _ = writeln!(text, "{line:<34} # {}{words}{}", key.help, about.condition(key));
    }
    text
}

impl Template {
    fn net(&self) -> &str {
        self.net.as_deref().unwrap_or(if self.data == "lq" { "lq" } else { "resmlp" })
    }

    /// The values in this recipe of a key on which others depend.
    fn chosen(&self, selector: &str) -> Vec<&str> {
        match selector {
            "data.name" => vec![&self.data],
            "net.name" => vec![self.net()],
            _ => self.rules.iter().map(String::as_str).collect(),
        }
    }

    /// The value of a key that the recipe sets.
    fn sets(&self, key: &Key) -> Option<String> {
        let quoted = |words: Vec<&str>| words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>();
        match key.name {
            "data.name" | "net.name" => Some(quoted(self.chosen(key.name)).concat()),
            "rule.name" => Some(format!("[{}]", quoted(self.chosen(key.name)).join(", "))),
            "rule.frozen" => Some("[false, true]".to_owned()),
            "net.d" | "net.blocks" | "train.epochs" => self.default(key).map(str::to_owned),
            _ => None,
        }
    }

    /// The value shown for a key; `None` for a key that does not apply, unless all are shown.
    fn value(&self, key: &Key) -> Option<String> {
        let other = || match key.default {
            Preset::By(_, values) if self.all => values.first().map(|(_, value)| (*value).to_owned()),
            _ => None,
        };
        self.sets(key).or_else(|| self.default(key).map(str::to_owned)).or_else(other)
    }

    /// The default of a key for the first chosen value that has one.
    fn default(&self, key: &Key) -> Option<&'static str> {
        match key.default {
            Preset::Always(value) => Some(value),
            Preset::By(selector, values) => {
                let of = |word: &str| values.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
                self.chosen(selector).into_iter().find_map(of)
            }
        }
    }

    /// The values for which a key applies, if not all chosen ones, and its default for each if they differ.
    fn condition(&self, key: &Key) -> String {
        let Preset::By(selector, values) = key.default else { return String::new() };
        let chosen = self.chosen(selector);
        let shown: Vec<_> = values.iter().filter(|(word, _)| self.all || chosen.contains(word)).collect();
        let words: Vec<&str> = shown.iter().map(|(word, _)| *word).collect();
        let everywhere = if self.all {
            matches!(Schema::today().find(selector).map(|key| key.kind), Some(Kind::Word(all) | Kind::WordOrFile(all)) if all.len() == words.len())
        } else {
            chosen.iter().all(|word| words.contains(word))
        };
        let only = if everywhere {
            String::new()
        } else {
            format!(" Only if {selector} is {}.", words.join(" or "))
        };
        let differ = shown.iter().any(|(_, value)| Some(*value) != shown.first().map(|(_, value)| *value));
        let each =
            || shown.iter().map(|(word, value)| format!("{word} {value}")).collect::<Vec<_>>().join(", ");
        if differ && self.sets(key).is_none() { format!("{only} By default {}.", each()) } else { only }
    }
}
