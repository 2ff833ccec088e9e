//! One sentence per group: its verdict and the reasons. It never looks at the rule's name, only at what was measured.

use super::layers::units;
use super::place;
use super::reach;
use super::section::Section;
use super::words;
use crate::page::Line;
use crate::show::{self, Symbol, list, unit_names};
use protocol::{gathered, is_confirmed, most_frequent, statistics};
use record::Unit;
use record::audit::{Audit, CheckId, CheckResult, Consistency, Finding, Outcome, Standing, Verdict};

/// The checks that make the verdict of a healthy program.
const CHECKS: [CheckId; 3] = [CheckId::D1, CheckId::D2, CheckId::D3];

/// Verdict and reasons.
pub(super) fn sentence(section: &Section<'_>) -> Line {
    let reasons =
        [credit(section), reach::sentence(section), scale(section), reference(section), depth(section)];
    let reasons: Vec<String> = reasons.into_iter().flatten().collect();
    let colon = if reasons.is_empty() { "" } else { ": " };
    let verdict = verdict(section);
    // A single seed that fails is worse news than the verdict of most.
    let symbol = match words::verdict_symbol(&section.group.verdict) {
        _ if verdict.starts_with("fails") => Symbol::Bad,
        symbol => symbol,
    };
    Line::new(Some(symbol), format!("{} {verdict}{colon}{}.", section.name(), reasons.join("; ")))
}

fn outcomes<'a>(section: &Section<'a>, id: CheckId) -> Vec<&'a CheckResult> {
    section.audits.iter().filter_map(|&audit| words::check(audit, id)).collect()
}

/// `passes`, or `fails D1 and D3`; then what was not assessed, and why.
fn verdict(section: &Section<'_>) -> String {
    let all = section.audits.len();
    let part = |some: usize| if some == all { String::new() } else { format!(" ({some} of {all} seeds)") };
    let fired = |id: &CheckId| {
        let fires = outcomes(section, *id).iter().filter(|check| check.fires()).count();
        (fires > 0).then(|| format!("{}{}", id.name(), part(fires)))
    };
    let fired: Vec<String> = CHECKS.iter().chain([&CheckId::Consistency]).filter_map(fired).collect();
    let open = CHECKS.iter().filter_map(|id| {
        let reasons: Vec<&str> = outcomes(section, *id)
            .into_iter()
            .filter_map(|check| match &check.outcome {
                Outcome::NotAssessed { why } => Some(why.as_str()),
                _ => None,
            })
            .collect();
        let first = reasons.first()?;
        Some(format!("{} not assessed{} ({first})", id.name(), part(reasons.len())))
    });
    let made = CHECKS.iter().any(|id| outcomes(section, *id).iter().any(|c| c.outcome == Outcome::Passes));
    let word = match fired.as_slice() {
        _ if section.group.verdict == Verdict::NotAssessed => "is not assessed".to_owned(),
        [] if made => "passes".to_owned(),
        [] => "is not assessed".to_owned(),
        _ => format!("fails {}", list(&fired)),
    };
    std::iter::once(word).chain(open).collect::<Vec<_>>().join(", ")
}

/// What the credit of each unit is worth: `useful credit at embed and block 3, chance at blocks 0–2`.
fn credit(section: &Section<'_>) -> Option<String> {
    let states = section.audits.iter().map(|audit| place::states(audit)).max().unwrap_or(0);
    let standing = |state: usize| {
        let each: Vec<Standing> =
            units(&section.audits, state).into_iter().flatten().map(|unit| unit.standing).collect();
        Some((most_frequent(&each)?.0, Unit::at(state)))
    };
    let mut found = gathered((0..states).filter_map(standing));
    found.sort_by_key(|(standing, _)| *standing);
    let only = found.len() == 1;
    let words = |(standing, units): &(Standing, Vec<Unit>)| {
        let place = if only { "every unit".to_owned() } else { unit_names(units) };
        format!("{} {place}", credit_words(*standing))
    };
    (!found.is_empty()).then(|| found.iter().map(words).collect::<Vec<_>>().join(", "))
}

fn credit_words(standing: Standing) -> &'static str {
    match standing {
        Standing::ReferenceNotGradient => "the reference is not the gradient at",
        Standing::Useful => "useful credit at",
        Standing::Detectable => "detectable but small credit at",
        Standing::Mixed => "mixed evidence at",
        Standing::Chance => "no better than chance at",
        Standing::Misleading => "misleading credit at",
        Standing::Unconfirmed => "credit not compared with chance at",
        Standing::CannotBeJudged => "no judgement at",
        Standing::Dead => "no credit at",
        Standing::Broken => "infinite or NaN values at",
    }
}

fn scale(section: &Section<'_>) -> Option<String> {
    let checks = outcomes(section, CheckId::D1);
    let values = checks.iter().filter_map(|check| check.statistic);
    let largest = show::scientific(values.reduce(|a, b| if b.is_nan() || b > a { b } else { a })?);
    let limit = show::scientific(checks.first()?.threshold);
    Some(if checks.iter().any(|check| check.fires()) {
        format!("one block multiplies the hidden norm by up to {largest} (limit {limit})")
    } else {
        format!("growth at most {largest} (limit {limit})")
    })
}

fn reference(section: &Section<'_>) -> Option<String> {
    let checks = outcomes(section, CheckId::D2);
    if !checks.iter().any(|check| check.fires()) {
        return None;
    }
    let smallest = checks.iter().filter_map(|check| check.statistic).reduce(f64::min)?;
    let floor = show::scientific(checks.first()?.threshold);
    let confirmed = section.audits.iter().all(|audit| audit.states.last().is_some_and(is_confirmed));
    let confirmed = if confirmed { ", and exact in f64" } else { "" };
    let smallest = show::scientific(smallest);
    Some(format!("the gradient at the top is down to {smallest} (floor {floor}){confirmed}"))
}

fn depth(section: &Section<'_>) -> Option<String> {
    let checks = outcomes(section, CheckId::D3);
    let gains: Vec<f64> =
        checks.iter().filter_map(|check| check.statistic.map(|gain| 100.0 * gain)).collect();
    let mean = statistics(gains.iter().copied())?.mean;
    let fires = checks.iter().filter(|check| check.fires()).count();
    let passes = checks.iter().filter(|check| check.outcome == Outcome::Passes).count();
    Some(match (fires, passes) {
        (0, 0) => format!("training the blocks changes accuracy by {mean:+.1} points"),
        (0, _) => format!("training the blocks gains {mean:.1} points"),
        (_, 0) if mean < 0.0 => format!("training the blocks costs {:.1} points", -mean),
        (_, 0) => format!("training the blocks gains only {mean:.1} points"),
        _ => {
            let low = gains.iter().copied().fold(f64::INFINITY, f64::min);
            let high = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            format!("training the blocks changes accuracy by {low:+.1} to {high:+.1} points")
        }
    })
}

/// Credit that is not what weights and feedback give, in every group.
pub(super) fn faults(sections: &[Section<'_>]) -> Vec<Line> {
    let of = |audit: &&Audit| {
        let Consistency::Differs { findings } = &audit.consistency else { return Vec::new() };
        let line = |finding: &Finding| {
            let words = format!("{}: {}: {}", audit.subject.id(), finding.unit, finding.fault.words());
            Line::new(Some(Symbol::Bad), words)
        };
        findings.iter().map(line).collect()
    };
    sections.iter().flat_map(|section| &section.audits).flat_map(of).collect()
}
