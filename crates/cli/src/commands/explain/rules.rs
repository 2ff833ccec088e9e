//! The learning rules, by their names in recipes. Equation and keys come from the table of rules.

use super::topic::Topic;
use ::rules::{RuleInfo, RuleKey, TABLE, Value};

pub(super) fn topics() -> Vec<Topic> {
    const RULES: &[RuleInfo] = &TABLE;
    RULES.iter().map(topic).collect()
}

fn topic(rule: &'static RuleInfo) -> Topic {
    Topic {
        name: rule.name,
        aliases: vec![rule.title.to_owned()],
        title: "what each unit learns from",
        formula: rule.equation,
        means: format!("Credit comes {}. {}", record::rules::route(rule.name).words(), rule.about),
        why: String::new(),
        action:
            "See how its credit is used (`creditscope explain credit`) and what it is divided by before that \
            (`creditscope explain normalise`)."
                .to_owned(),
        key: rule.keys.iter().map(key).collect::<Vec<_>>().join("; "),
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
