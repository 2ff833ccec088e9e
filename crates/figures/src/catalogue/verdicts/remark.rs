//! The remark at each row and the caption, both derived from the outcomes.

use super::Row;
use crate::catalogue::request::rounded;
use crate::text::escape;
use protocol::gathered;
use record::audit::{CheckId, CheckResult, Outcome, Verdict};

/// The result of a check for a rule, over its seeds: by how much it fires and since when, its margin, or why it was not
/// assessed.
pub(super) fn remark(id: CheckId, results: &[&CheckResult]) -> String {
    let fired: Vec<&CheckResult> = results.iter().filter(|r| r.fires()).copied().collect();
    let passed: Vec<&CheckResult> =
        results.iter().filter(|r| r.outcome == Outcome::Passes).copied().collect();
    if fired.is_empty() && passed.is_empty() {
        return not_assessed(results);
    }
    let assessed = fired.len() + passed.len();
    // Seeds that were not assessed do not count as passed.
    let some = match results.len() {
        all if assessed < all => format!(" ({assessed} of {all} assessed)"),
        _ => String::new(),
    };
    if fired.is_empty() {
        return format!("{}{some}{}", margin(id, &passed), since(&passed, "; fired first at epoch"));
    }
    let many = if fired.len() < assessed {
        format!("{} of {assessed} fire", fired.len())
    } else {
        format!("fires{}", excess(id, &fired))
    };
    format!("{many}{some}{}", since(&fired, ", from epoch"))
}

fn not_assessed(results: &[&CheckResult]) -> String {
    let why = |result: &&CheckResult| match &result.outcome {
        Outcome::NotAssessed { why } => Some(why.clone()),
        _ => None,
    };
    let mut reasons: Vec<String> = results.iter().filter_map(why).collect();
    reasons.dedup();
    match &reasons[..] {
        [] => "not in the audit".to_owned(),
        reasons => format!("not assessed: {}", escape(&reasons.join("; "))),
    }
}

/// The smallest margin.
fn margin(id: CheckId, passed: &[&CheckResult]) -> String {
    let Some(least) = passed.iter().filter_map(|r| r.margin).min_by(f64::total_cmp) else {
        return "passes".to_owned();
    };
    let sign = if passed.len() > 1 { "≥ " } else { "" };
    match id {
        CheckId::D3 => format!("margin {sign}{}", points(least, false)),
        CheckId::Direction => format!("margin {sign}{least:.2}"),
        _ => format!("margin {sign}×{}", bare(least)),
    }
}

/// How far beyond the threshold, as a range over seeds.
fn excess(id: CheckId, fired: &[&CheckResult]) -> String {
    if fired.iter().any(|r| r.statistic.is_some_and(|s| !s.is_finite())) {
        return ": not finite".to_owned();
    }
    if fired.iter().any(|r| r.statistic == Some(0.0)) && id == CheckId::D2 {
        return ": is zero".to_owned();
    }
    let by_factor = !matches!(id, CheckId::D3 | CheckId::Direction);
    let beyond = |r: &&CheckResult| r.margin.map(|m| if by_factor { 1.0 / m } else { -m });
    let mut all: Vec<f64> = fired.iter().filter_map(beyond).collect();
    all.sort_by(f64::total_cmp);
    let (Some(&least), Some(&most)) = (all.first(), all.last()) else { return String::new() };
    match id {
        CheckId::D3 => {
            format!(", {} short", range(least, most, |v| format!("{:.1}", 100.0 * v), "", " points"))
        }
        CheckId::Direction => format!(" by {}", range(least, most, |v| format!("{v:.2}"), "", "")),
        _ => format!(" {}", range(least, most, bare, "×", "")),
    }
}

/// A range of two numbers, or one number if both print the same.
fn range(least: f64, most: f64, print: impl Fn(f64) -> String, before: &str, after: &str) -> String {
    let low = print(least);
    let high = print(most);
    if low == high { format!("{before}{low}{after}") } else { format!("{before}{low}–{high}{after}") }
}

/// The first epoch at which the check fired, as a range over seeds.
fn since(results: &[&CheckResult], words: &str) -> String {
    let first = || results.iter().filter_map(|r| r.first_fired);
    match (first().min(), first().max()) {
        (Some(a), Some(b)) if a == b => format!("{words} {a}"),
        (Some(a), Some(b)) => format!("{words} {a}–{b}"),
        _ => String::new(),
    }
}

/// A gain in accuracy as points.
pub(super) fn points(gain: f64, signed: bool) -> String {
    // One decimal at most.
    let value = (1000.0 * gain).round() / 10.0;
    let plain = if signed { format!("{value:+}") } else { value.to_string() };
    format!("{} points", plain.replace('-', "−"))
}

/// A factor with two significant digits; very large ones as a power of ten.
fn bare(value: f64) -> String {
    match value {
        v if v >= 1e5 => format!("$10^{{{:.1}}}$", v.log10()),
        v if v >= 9.95 => rounded(v),
        v => format!("{v:.1}"),
    }
}

/// The caption: every rule's verdict, with rules of the same verdict together.
pub(super) fn verdicts(rows: &[Row]) -> String {
    // A comma within a name would look like one between names.
    let parts = gathered(rows.iter().map(|row| (of_seeds(row), row.name.replace(", ", " "))));
    let sentence = |(words, names): &(String, Vec<String>)| {
        format!("{}: {words}", crate::catalogue::sentences::list(names))
    };
    parts.iter().map(sentence).collect::<Vec<_>>().join("; ")
}

/// The verdict of a rule; if seeds differ, each verdict with its count.
fn of_seeds(row: &Row) -> String {
    let found = gathered(row.seeds.iter().map(|(seed, checks)| (protocol::verdict(checks), seed)));
    match &found[..] {
        [(verdict, _)] => said(verdict, row),
        many => {
            let words = |(verdict, seeds): &(Verdict, Vec<_>)| {
                format!("{} in {} of {} seeds", said(verdict, row), seeds.len(), row.seeds.len())
            };
            many.iter().map(words).collect::<Vec<_>>().join(", ")
        }
    }
}

/// A verdict in words; a pass never without the units that it would hide.
fn said(verdict: &Verdict, row: &Row) -> String {
    match (verdict, &row.unhelped) {
        (Verdict::Pass { .. }, Some(units)) => format!("{}, {units}", verdict.words()),
        _ => verdict.words(),
    }
}
