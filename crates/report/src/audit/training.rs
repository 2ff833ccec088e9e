//! How the credit of the audited runs was used in training.

use super::section::Section;
use record::audit::{Modifiers, Subject};

/// What credit was divided by, rule by rule, and whether gradients were clipped; `None` if the audits do not say.
pub(super) fn training(sections: &[Section<'_>]) -> Option<String> {
    let known = || sections.iter().flat_map(|section| &section.audits).filter_map(|audit| of(&audit.subject));
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for (rule, modifiers) in known().filter(|(_, modifiers)| !modifiers.normalise.is_empty()) {
        let words = record::normalise::words(&modifiers.normalise);
        match groups.iter_mut().find(|(known, _)| *known == words) {
            Some((_, rules)) if rules.contains(&rule) => {}
            Some((_, rules)) => rules.push(rule),
            None => groups.push((words, vec![rule])),
        }
    }
    let mut parts: Vec<String> = match groups.as_slice() {
        [] => return None,
        [(words, _)] => vec![(*words).to_owned()],
        several => several.iter().map(|(words, rules)| format!("{} {words}", rules.join(", "))).collect(),
    };
    let clip = known().next().map_or(0.0, |(_, modifiers)| modifiers.clip);
    if clip > 0.0 && known().all(|(_, modifiers)| modifiers.clip == clip) {
        parts.push(format!("block gradients clipped to norm {clip}"));
    }
    Some(parts.join("; "))
}

fn of(subject: &Subject) -> Option<(&str, &Modifiers)> {
    match subject {
        Subject::Run { rule, modifiers: Some(modifiers), .. } => Some((rule, modifiers)),
        _ => None,
    }
}
