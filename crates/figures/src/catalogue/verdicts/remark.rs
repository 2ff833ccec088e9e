//! What is said of a rule and a check, and of a rule, derived from the outcomes: in full for the table, and in short.

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
        let margin = least_margin(&passed).map_or_else(
            || "passes".to_owned(),
            |least| format!("margin {}{}{}", at_least(&passed), amount(id, least, least), unit(id)),
        );
        return format!("{margin}{some}{}", since(&passed, "; fired first at epoch"));
    }
    let many = match (without_number(id, &fired), excess(id, &fired)) {
        _ if fired.len() < assessed => format!("{} of {assessed} fire", fired.len()),
        (Some(what), _) => format!("fires: {what}"),
        (None, Some(by)) => format!("fires by {by}{}", unit(id)),
        (None, None) => "fires".to_owned(),
    };
    format!("{many}{some}{}", since(&fired, ", from epoch"))
}

/// What is written beside the markers: the first that has room. The amount is in the unit of the axis.
pub(super) fn short(id: CheckId, results: &[&CheckResult]) -> Vec<String> {
    let fired: Vec<&CheckResult> = results.iter().filter(|r| r.fires()).copied().collect();
    let passed: Vec<&CheckResult> =
        results.iter().filter(|r| r.outcome == Outcome::Passes).copied().collect();
    let assessed = fired.len() + passed.len();
    if assessed == 0 {
        return vec!["not assessed".to_owned()];
    }
    let (by, epoch) = match fired.len() {
        0 => (
            least_margin(&passed).map(|least| format!("{}{}", at_least(&passed), amount(id, least, least))),
            &passed,
        ),
        some if some < assessed => (Some(format!("{some} of {assessed} fire")), &fired),
        _ => (without_number(id, &fired).map(str::to_owned).or_else(|| excess(id, &fired)), &fired),
    };
    let open = (assessed < results.len()).then(|| format!("{assessed} of {} assessed", results.len()));
    let epoch = Some(since(epoch, "epoch")).filter(|words| !words.is_empty());
    let joined = |parts: &[&Option<String>]| {
        parts.iter().filter_map(|part| part.as_deref()).collect::<Vec<_>>().join(", ")
    };
    let mut all = vec![joined(&[&by, &open, &epoch]), joined(&[&by, &open]), joined(&[&by])];
    all.retain(|words| !words.is_empty());
    all.dedup();
    all
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
fn least_margin(passed: &[&CheckResult]) -> Option<f64> {
    passed.iter().filter_map(|r| r.margin).min_by(f64::total_cmp)
}

/// The sign before the smallest margin of several seeds.
fn at_least(passed: &[&CheckResult]) -> &'static str {
    if passed.len() > 1 { "≥ " } else { "" }
}

/// What a check that fires found in place of a number.
fn without_number(id: CheckId, fired: &[&CheckResult]) -> Option<&'static str> {
    if fired.iter().any(|r| r.statistic.is_some_and(|s| !s.is_finite())) {
        return Some("not finite");
    }
    (fired.iter().any(|r| r.statistic == Some(0.0)) && id == CheckId::D2).then_some("is zero")
}

/// How far beyond the threshold, as a range over seeds.
fn excess(id: CheckId, fired: &[&CheckResult]) -> Option<String> {
    let by_factor = !matches!(id, CheckId::D3 | CheckId::Direction);
    let beyond = |r: &&CheckResult| r.margin.map(|m| if by_factor { 1.0 / m } else { -m });
    let all = || fired.iter().filter_map(beyond);
    Some(amount(id, all().min_by(f64::total_cmp)?, all().max_by(f64::total_cmp)?))
}

/// A distance to the threshold, or a range of distances: factors, or differences in the unit of the axis.
fn amount(id: CheckId, least: f64, most: f64) -> String {
    match id {
        CheckId::D3 => range(least, most, |v| format!("{:.1}", 100.0 * v), ""),
        CheckId::Direction => range(least, most, |v| format!("{v:.2}"), ""),
        _ => range(least, most, bare, "×"),
    }
}

/// The unit of amounts that are not plain numbers.
fn unit(id: CheckId) -> &'static str {
    if id == CheckId::D3 { " points" } else { "" }
}

/// A range of two numbers, or one number if both print the same.
fn range(least: f64, most: f64, print: impl Fn(f64) -> String, before: &str) -> String {
    let low = print(least);
    let high = print(most);
    if low == high { format!("{before}{low}") } else { format!("{before}{low}–{high}") }
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

/// The verdict of a rule; if seeds differ, each verdict with its count.
pub(super) fn verdict(row: &Row) -> String {
    let found = gathered(row.verdicts().into_iter().map(|verdict| (verdict, ())));
    match &found[..] {
        [(verdict, _)] => said(&verdict.words(), verdict, row),
        many => {
            let words = |(verdict, seeds): &(Verdict, Vec<_>)| {
                let said = said(&verdict.words(), verdict, row);
                format!("{said} in {} of {} seeds", seeds.len(), row.seeds.len())
            };
            many.iter().map(words).collect::<Vec<_>>().join(", ")
        }
    }
}

/// The same without the checks that failed, which the other columns show.
pub(super) fn short_verdict(row: &Row) -> String {
    let fails = |verdict: &Verdict| matches!(verdict, Verdict::Fail { .. });
    let verdicts = row.verdicts();
    let failed = verdicts.iter().filter(|verdict| fails(verdict)).count();
    match verdicts.first() {
        Some(_) if failed > 0 && failed < verdicts.len() => format!("FAIL in {failed} of {}", verdicts.len()),
        Some(_) if failed > 0 => "FAIL".to_owned(),
        Some(first) if verdicts.iter().all(|verdict| verdict == first) => said(&first.words(), first, row),
        _ => verdict(row),
    }
}

/// A verdict in words; a pass never without the units that it would hide.
fn said(words: &str, verdict: &Verdict, row: &Row) -> String {
    match (verdict, &row.unhelped) {
        (Verdict::Pass { .. }, Some(units)) => format!("{words}, {units}"),
        _ => words.to_owned(),
    }
}
