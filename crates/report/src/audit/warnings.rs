//! What to know before quoting an audit, gravest first, each with what to do about it. The same warning about several runs is
//! one.

use super::warning_words::{advice, message, particular};
use crate::page::{Advice, Line};
use crate::show::Symbol;
use protocol::warnings::rank;
use protocol::{grouped, statistics};
use record::audit::{Audit, AuditSet, Warning};

pub(super) fn warnings(set: &AuditSet) -> Vec<Line> {
    let of_pairs = |warning: &&Warning| matches!(warning, Warning::SeedsDiffer { .. });
    let mut said: Vec<(Vec<&Warning>, Vec<&Audit>)> =
        set.warnings.iter().filter(|w| !of_pairs(w)).map(|warning| (vec![warning], vec![])).collect();
    // However many pairs of groups differ in their seeds, that is one thought.
    said.extend(set.warnings.iter().find(of_pairs).map(|warning| (vec![warning], vec![])));
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
        let who = if by_run { ids } else { together(set, &ids) };
        if of_pairs(&warnings[0]) {
            return Said {
                thought: seeds(set),
                who: String::new(),
                what: None,
                advice: advised(warnings[0]),
            };
        }
        Said::of(&as_one(warnings), &who)
    });
    advised_once(each)
}

/// A warning: the thought, whom it concerns, and what is particular about them.
struct Said {
    thought: String,
    who: String,
    what: Option<String>,
    advice: Advice,
}

impl Said {
    fn of(warning: &Warning, who: &[&str]) -> Self {
        let (thought, what) = match particular(warning) {
            Some((thought, what)) => (thought.to_owned(), Some(what)),
            None => (message(warning), None),
        };
        Self { thought, who: who.join(", "), what, advice: advised(warning) }
    }

    /// `fa: block 3`, or what there is of it.
    fn detail(&self) -> String {
        let what = self.what.as_deref().unwrap_or_default();
        [self.who.as_str(), what].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// A thought that several groups share is said once, with the particulars of each. Thoughts that ask for the same follow one
/// another, and then what to do.
fn advised_once(each: impl Iterator<Item = Said>) -> Vec<Line> {
    let words = |(thought, same): &(String, Vec<Said>)| match same.as_slice() {
        [only] if only.what.is_none() && only.who.is_empty() => thought.clone(),
        [only] if only.what.is_none() => format!("{}: {thought}", only.who),
        _ => format!("{thought}: {}", same.iter().map(Said::detail).collect::<Vec<_>>().join("; ")),
    };
    let line = |(advice, said): (Advice, Vec<Said>)| {
        let thoughts = grouped(said, |said| said.thought.clone());
        let words = thoughts.iter().map(words).collect::<Vec<_>>().join("; ");
        Line { advice: Some(advice), ..Line::new(Some(Symbol::Chance), words) }
    };
    grouped(each, |said| said.advice.clone()).into_iter().map(line).collect()
}

fn advised(warning: &Warning) -> Advice {
    let (words, remedy) = advice(warning);
    Advice { words: words.to_owned(), remedy }
}

/// Which groups have which seeds.
fn seeds(set: &AuditSet) -> String {
    let trained = set.groups.iter().filter(|group| !set.audits[group.members[0]].subject.is_frozen());
    let by_seeds = grouped(trained, |group| group.seeds.clone());
    let words = by_seeds.iter().map(|(seeds, groups)| {
        let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
        let seeds: Vec<String> = seeds.iter().flatten().map(u64::to_string).collect();
        format!("{} {}", names.join(", "), seeds.join(", "))
    });
    format!(
        "groups have different seeds ({}); only common ones are paired",
        words.collect::<Vec<_>>().join("; ")
    )
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
