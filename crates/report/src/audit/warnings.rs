//! What to know before quoting an audit, gravest first, each with what to do about it. The same warning about several runs is
//! one.

use super::warning_words::{advice, message};
use crate::page::{Advice, Line};
use crate::show::Symbol;
use protocol::statistics;
use protocol::warnings::rank;
use record::audit::{Audit, AuditSet, Warning};

pub(super) fn warnings(set: &AuditSet) -> Vec<Line> {
    let mut said: Vec<(Vec<&Warning>, Vec<&Audit>)> =
        set.warnings.iter().map(|warning| (vec![warning], vec![])).collect();
    let baselines_only = set.audits.iter().all(|audit| audit.subject.is_frozen());
    for audit in &set.audits {
        let shown = |warning: &&Warning| baselines_only || concerns(audit, warning);
        for warning in audit.warnings.iter().filter(shown) {
            let alike = |(others, of): &&mut (Vec<&Warning>, Vec<&Audit>)| {
                !of.is_empty() && like(others[0], warning, of[0].subject.group() == audit.subject.group())
            };
            match said.iter_mut().find(alike) {
                Some((warnings, audits)) => {
                    warnings.push(warning);
                    audits.push(audit);
                }
                None => said.push((vec![warning], vec![audit])),
            }
        }
    }
    said.sort_by_key(|(warnings, _)| rank(warnings[0]));
    let each = said.iter().map(|(warnings, audits)| {
        let ids: Vec<&str> = audits.iter().map(|audit| audit.subject.id()).collect();
        // Which runs are to be trained on is the question, and a baseline can be one of them.
        let by_run = matches!(warnings[0], Warning::Unfinished { .. }) && set.audits.len() > 1;
        line(&as_one(warnings), &if by_run { ids } else { together(set, &ids) })
    });
    advised_once(each)
}

/// Warnings that ask for the same are said one after the other, and then what to do.
fn advised_once(lines: impl Iterator<Item = Line>) -> Vec<Line> {
    let mut once: Vec<Line> = Vec::new();
    for line in lines {
        match once.iter_mut().find(|known| known.advice == line.advice) {
            Some(known) => known.words.push_str(&format!("; {}", line.words)),
            None => once.push(line),
        }
    }
    once
}

/// Whether two warnings are one: equal, or of seeds of one group about the same unit.
fn like(a: &Warning, b: &Warning, same_group: bool) -> bool {
    match (a, b) {
        (Warning::OneUnitDominates { unit: a, .. }, Warning::OneUnitDominates { unit: b, .. }) => {
            same_group && a == b
        }
        _ => a == b,
    }
}

/// What several seeds say, with the mean of their numbers.
fn as_one(warnings: &[&Warning]) -> Warning {
    let Warning::OneUnitDominates { unit, .. } = warnings[0] else { return warnings[0].clone() };
    let over_seeds = |number: fn(&Warning) -> Option<f64>| {
        let numbers = warnings.iter().filter_map(|warning| number(warning));
        statistics(numbers).map_or(f64::NAN, |found| found.mean)
    };
    Warning::OneUnitDominates {
        unit: *unit,
        mean: over_seeds(|warning| match warning {
            Warning::OneUnitDominates { mean, .. } => Some(*mean),
            _ => None,
        }),
        without: over_seeds(|warning| match warning {
            Warning::OneUnitDominates { without, .. } => Some(*without),
            _ => None,
        }),
    }
}

/// The names of groups where every seed has it, and of single runs; nothing where there is only one thing to mean.
fn together<'a>(set: &'a AuditSet, ids: &[&str]) -> Vec<&'a str> {
    let named = |id: &&str| ids.contains(id);
    let frozen = set.audits.iter().filter(|audit| audit.subject.is_frozen()).count();
    let judged = if frozen == set.audits.len() { frozen } else { set.audits.len() - frozen };
    let mut names = Vec::new();
    for group in set.groups.iter().filter(|_| judged > 1) {
        let members: Vec<&str> =
            group.members.iter().filter_map(|&i| set.audits.get(i)).map(|audit| audit.subject.id()).collect();
        if members.iter().all(named) {
            names.push(group.name.as_str());
        } else {
            names.extend(members.into_iter().filter(named));
        }
    }
    names
}

/// Of a baseline only the accuracy counts, which is not yet the right one while it trains.
fn concerns(audit: &Audit, warning: &Warning) -> bool {
    !audit.subject.is_frozen() || matches!(warning, Warning::Unfinished { .. })
}

fn line(warning: &Warning, who: &[&str]) -> Line {
    let who = if who.is_empty() { String::new() } else { format!("{}: ", who.join(", ")) };
    let words = format!("{who}{}", message(warning));
    let (advice, remedy) = advice(warning);
    let advice = Some(Advice { words: advice.to_owned(), remedy });
    Line { advice, ..Line::new(Some(Symbol::Chance), words) }
}
