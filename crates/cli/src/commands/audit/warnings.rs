//! What to know before quoting an audit, each with what to do about it; the same warning of several runs is one.

use crate::show;
use record::audit::{Audit, AuditSet, Warning};

pub(super) fn warnings(set: &AuditSet) -> String {
    let mut said: Vec<(&Warning, Vec<&str>)> = set.warnings.iter().map(|warning| (warning, vec![])).collect();
    for audit in &set.audits {
        for warning in audit.warnings.iter().filter(|warning| concerns(audit, warning)) {
            let id = audit.subject.id();
            match said.iter_mut().find(|(other, ids)| *other == warning && !ids.is_empty()) {
                Some((_, ids)) => ids.push(id),
                None => said.push((warning, vec![id])),
            }
        }
    }
    said.iter().map(|(warning, ids)| line(warning, &together(set, ids))).collect()
}

/// The names of groups where every seed has it, and of single runs; nothing where there is only one thing to mean.
fn together<'a>(set: &'a AuditSet, ids: &[&'a str]) -> Vec<&'a str> {
    let judged = set.audits.iter().filter(|audit| !audit.subject.is_frozen()).count();
    let mut names = Vec::new();
    for group in set.groups.iter().filter(|_| judged > 1) {
        let members: Vec<&str> =
            group.members.iter().filter_map(|&i| set.audits.get(i)).map(|audit| audit.subject.id()).collect();
        if members.iter().all(|member| ids.contains(member)) {
            names.push(group.name.as_str());
        } else {
            names.extend(members.into_iter().filter(|member| ids.contains(member)));
        }
    }
    names
}

/// Of a baseline only the accuracy counts, which is not yet the right one while it trains.
fn concerns(audit: &Audit, warning: &Warning) -> bool {
    !audit.subject.is_frozen() || matches!(warning, Warning::Unfinished { .. })
}

fn line(warning: &Warning, who: &[&str]) -> String {
    let who = if who.is_empty() { String::new() } else { format!("{}: ", who.join(", ")) };
    let message = show::wrap(&format!("· {who}{}", warning.message()), 2);
    format!("{message}\n{}\n", show::hanging(&format!("→ {}", warning.advice()), 2, 4))
}
