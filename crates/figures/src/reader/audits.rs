//! Trials from audits without their runs: the end of training only, no curves.

use super::variant::words;
use super::{Layers, Origin, OriginKind, Setting, Trial};
use record::audit::{Audit, Subject};
use std::path::Path;

/// The trial behind an audit. Of the setting, an audit only knows the depth.
pub fn trial_of_audit(path: &Path, key: Option<String>, audit: Audit) -> Trial {
    let (rule, recipe_hash, data_hash) = match &audit.subject {
        Subject::Run { rule, recipe_hash, data_hash, .. } => {
            (rule.clone(), Some(recipe_hash.clone()), Some(data_hash.clone()))
        }
        // A dump need not name its rule; then the user's name for the file is used.
        Subject::Dump { id, rule, .. } => (rule.as_ref().unwrap_or(id).clone(), None, None),
    };
    let seed = audit.subject.seed();
    let (penalty, modifiers) = modifiers(&audit.subject);
    let blocks = audit.states.len().checked_sub(1).map(|blocks| blocks as u64);
    Trial {
        name: audit.subject.id().to_owned(),
        rule,
        penalty,
        frozen: audit.subject.is_frozen(),
        modifiers,
        classes: None,
        seed,
        setting: Setting { blocks, ..Setting::default() },
        origin: Origin {
            kind: OriginKind::Audit,
            path: path.to_owned(),
            key,
            recipe_hash,
            data_hash,
            file_hash: None,
            seed,
        },
        status: None,
        native_samples: None,
        keys: None,
        thresholds: audit.settings.thresholds,
        epochs: Vec::new(),
        final_layers: Layers::of_audit(&audit),
        drift: Vec::new(),
        audit: Some(Box::new(audit)),
    }
}

/// λ and the other modifiers in words. Older audits have modifiers in their name only, which then distinguishes them from
/// the plain rule.
fn modifiers(subject: &Subject) -> (f64, String) {
    match subject {
        Subject::Run { modifiers: Some(modifiers), .. } => (modifiers.penalty, words(modifiers)),
        Subject::Run { modifiers: None, group, rule, .. } => {
            let rest = group.strip_prefix(rule.as_str()).unwrap_or_default();
            (0.0, rest.strip_prefix("-frozen").unwrap_or(rest).trim_start_matches('-').to_owned())
        }
        Subject::Dump { .. } => (0.0, String::new()),
    }
}
