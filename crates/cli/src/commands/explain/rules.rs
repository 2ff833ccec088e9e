//! The learning rules, by their names in recipes. Equation and keys come from the table of rules.

use super::topic::Topic;
use ::rules::{RuleInfo, RuleKey, TABLE, Value};
use std::sync::LazyLock;

pub(super) static TOPICS: LazyLock<Vec<Topic>> = LazyLock::new(|| TABLE.iter().map(topic).collect());

fn topic(rule: &'static RuleInfo) -> Topic {
    let keys: Vec<String> = rule.keys.iter().map(key).collect();
    Topic {
        name: rule.name,
        aliases: std::slice::from_ref(&rule.title),
        title: "what each unit learns from",
        formula: rule.equation,
        means: rule.about,
        why: "",
        action: "See how its credit is used (`creditscope explain credit`) and what it is divided by before that \
            (`creditscope explain normalise`).",
        key: keys.join("; ").leak(),
    }
}

fn key(key: &RuleKey) -> String {
    match key.default {
        Value::Flag(value) => format!("{} (default {value})", key.name),
        Value::Whole(value) => format!("{} (default {value})", key.name),
        Value::Real(value) => format!("{} (default {value:?})", key.name),
        Value::Word(word) => format!("{} (default \"{word}\")", key.name),
    }
}
