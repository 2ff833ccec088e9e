//! Trials from audits that come without their runs: the end of training alone, without curves.

use super::{Kind, Layers, Origin, Setting, Trial};
use record::audit::{Audit, Subject};
use std::path::Path;

/// The trial behind an audit. The setting holds what an audit tells, which is the depth.
pub(super) fn trial(path: &Path, key: Option<String>, audit: Audit) -> Trial {
    let (rule, frozen, hashes) = match &audit.subject {
        Subject::Run { rule, frozen, recipe_hash, data_hash, .. } => {
            (rule.clone(), *frozen, Some((recipe_hash.clone(), data_hash.clone())))
        }
        // Nothing is known about the rule behind a dump; its name is what the user called it.
        Subject::Dump { id, .. } => (id.clone(), false, None),
    };
    let (recipe_hash, data_hash) = hashes.unzip();
    let seed = audit.subject.seed();
    let (penalty, modifiers) = modifiers(audit.subject.group(), &rule);
    let blocks = audit.states.len().checked_sub(1).map(|blocks| blocks as u64);
    Trial {
        name: audit.subject.id().to_owned(),
        rule,
        penalty,
        frozen,
        modifiers,
        classes: None,
        seed,
        setting: Setting { blocks, ..Setting::default() },
        origin: Origin {
            kind: Kind::Audit,
            path: path.to_owned(),
            key,
            recipe_hash,
            data_hash,
            file_hash: None,
            seed,
        },
        status: None,
        native_samples: None,
        epochs: Vec::new(),
        final_layers: Layers::of_audit(&audit),
        drift: Vec::new(),
        audit: Some(Box::new(audit)),
    }
}

/// An audit names its run's modifiers only in the name of the group, such as `dfa-frozen-pen0.01`.
fn modifiers(group: &str, rule: &str) -> (f64, String) {
    let mut penalty = 0.0;
    let mut words = Vec::new();
    for part in group.strip_prefix(rule).unwrap_or_default().split('-').filter(|part| !part.is_empty()) {
        match part.strip_prefix("pen").and_then(|number| number.parse::<f64>().ok()) {
            Some(number) => penalty = number,
            None if part == "frozen" => {}
            None => words.push(part),
        }
    }
    (penalty, words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::modifiers;

    #[test]
    fn a_group_tells_the_modifiers() {
        assert_eq!(modifiers("dfa", "dfa"), (0.0, String::new()));
        assert_eq!(modifiers("dfa-frozen-pen0.01", "dfa"), (0.01, String::new()));
        assert_eq!(modifiers("bp-shallow-last2", "bp"), (0.0, "shallow, last2".to_owned()));
    }
}
