//! What stands beside a row, and the sentence under the figure: chosen by the outcomes, never typed in.

use super::Row;
use crate::text::escape;
use record::audit::{CheckId, CheckResult, Outcome, Verdict};

/// What a check says of a rule, over its seeds: by how much it fires and since when, how far it is from
/// firing, or why nothing can be said.
pub(super) fn of(id: CheckId, results: &[&CheckResult]) -> String {
    let fired: Vec<&CheckResult> = results.iter().filter(|r| r.fires()).copied().collect();
    let passed: Vec<&CheckResult> =
        results.iter().filter(|r| r.outcome == Outcome::Passes).copied().collect();
    if fired.is_empty() && passed.is_empty() {
        return not_assessed(results);
    }
    let assessed = fired.len() + passed.len();
    // A seed that was not assessed is none that passed.
    let some = match results.len() {
        all if assessed < all => format!(" ({assessed} of {all} assessed)"),
        _ => String::new(),
    };
    if fired.is_empty() {
        return format!("{}{some}{}", margin(id, &passed), recovered(&passed));
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

/// The smallest margin of these.
fn margin(id: CheckId, passed: &[&CheckResult]) -> String {
    let Some(least) = passed.iter().filter_map(|r| r.margin).min_by(f64::total_cmp) else {
        return "passes".to_owned();
    };
    let sign = if passed.len() > 1 { "≥ " } else { "" };
    match id {
        CheckId::D3 => format!("margin {sign}{}", points(least, false)),
        CheckId::Direction => format!("margin {sign}{least:.2}"),
        _ => format!("margin {sign}{}", factor(least)),
    }
}

/// How far beyond the threshold, from the least to the most of the seeds.
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

/// Two numbers with what stands around them; one where both read alike.
fn range(least: f64, most: f64, print: impl Fn(f64) -> String, before: &str, after: &str) -> String {
    let (a, b) = (print(least), print(most));
    if a == b { format!("{before}{a}{after}") } else { format!("{before}{a}–{b}{after}") }
}

/// The first epoch at which one of these fired, from the earliest to the latest of the seeds.
fn since(results: &[&CheckResult], words: &str) -> String {
    let first = || results.iter().filter_map(|r| r.first_fired);
    match (first().min(), first().max()) {
        (Some(a), Some(b)) if a == b => format!("{words} {a}"),
        (Some(a), Some(b)) => format!("{words} {a}–{b}"),
        _ => String::new(),
    }
}

/// That a check which passes at the end has fired before.
fn recovered(passed: &[&CheckResult]) -> String {
    since(passed, "; fired first at epoch")
}

/// A gain in accuracy as points, with its sign where asked for.
pub(super) fn points(gain: f64, signed: bool) -> String {
    // At most one digit, and none where there is nothing to say.
    let value = (1000.0 * gain).round() / 10.0;
    let plain = if signed { format!("{value:+}") } else { value.to_string() };
    format!("{} points", plain.replace('-', "−"))
}

/// A factor with two digits, or all before the point.
fn factor(value: f64) -> String {
    format!("×{}", bare(value))
}

fn bare(value: f64) -> String {
    match value {
        v if v >= 1e5 => format!("$10^{{{:.1}}}$", v.log10()),
        v if v >= 9.95 => grouped(two_digits(v)),
        v => format!("{v:.1}"),
    }
}

fn two_digits(value: f64) -> f64 {
    let unit = 10f64.powf(value.log10().floor() - 1.0);
    (value / unit).round() * unit
}

/// Thousands apart from the rest.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    match digits.len().checked_sub(3) {
        Some(split) if split > 0 => format!("{},{}", &digits[..split], &digits[split..]),
        _ => digits,
    }
}

/// Every rule's verdict, rules of one verdict together.
pub(super) fn verdicts(rows: &[Row]) -> String {
    let mut parts: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows {
        let words = of_seeds(row);
        // A comma within a name would read like one between names.
        let name = row.name.replace(", ", " ");
        match parts.iter_mut().find(|(known, _)| *known == words) {
            Some((_, names)) => names.push(name),
            None => parts.push((words, vec![name])),
        }
    }
    let sentence = |(words, names): &(String, Vec<String>)| {
        format!("{}: {words}", crate::catalogue::sentences::list(names))
    };
    parts.iter().map(sentence).collect::<Vec<_>>().join("; ")
}

/// The verdict of a rule; where seeds differ, each with how many have it.
fn of_seeds(row: &Row) -> String {
    let mut found: Vec<(Verdict, usize)> = Vec::new();
    for (_, checks) in &row.seeds {
        let verdict = protocol::verdict(checks);
        match found.iter_mut().find(|(known, _)| *known == verdict) {
            Some((_, count)) => *count += 1,
            None => found.push((verdict, 1)),
        }
    }
    match &found[..] {
        [(verdict, _)] => verdict.words(),
        many => {
            let words = |(verdict, count): &(Verdict, usize)| {
                format!("{} in {count} of {} seeds", verdict.words(), row.seeds.len())
            };
            many.iter().map(words).collect::<Vec<_>>().join(", ")
        }
    }
}
