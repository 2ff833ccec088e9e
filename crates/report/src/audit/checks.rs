//! The checks of a group: every seed in a row, then where the limit lies, how far off the worst seed is and when each
//! fired first.

use super::legend::Legend;
use super::section::Section;
use super::words::{label, limit, outcome_symbol, statistic, which};
use crate::show::{self, Table};
use protocol::at_floor;
use record::audit::{Audit, CheckId, CheckResult, Outcome};

/// The order in which they are read: those that make the verdict first.
const ORDER: [CheckId; 5] = [CheckId::D1, CheckId::D2, CheckId::D3, CheckId::Direction, CheckId::Consistency];

pub(super) fn checks(section: &Section<'_>, legend: &mut Legend) -> String {
    let find = |audit: &Audit, id: CheckId| audit.checks.iter().find(|check| check.check == id).cloned();
    let known: Vec<CheckId> = ORDER
        .into_iter()
        .filter(|&id| section.audits.iter().any(|audit| find(audit, id).is_some()))
        .collect();
    if known.is_empty() {
        return String::new();
    }
    known.iter().for_each(|&id| legend.check(id));
    let columns: Vec<Vec<Option<CheckResult>>> =
        known.iter().map(|&id| section.audits.iter().map(|audit| find(audit, id)).collect()).collect();
    let heading: Vec<&str> = std::iter::once("").chain(known.iter().map(|&id| heading(id))).collect();
    let mut table = Table::new(&heading, 1);
    let row = |name: &str, cell: &dyn Fn(usize) -> String| {
        std::iter::once(name.to_owned()).chain((0..known.len()).map(cell)).collect::<Vec<String>>()
    };
    for (i, audit) in section.audits.iter().enumerate() {
        let name = if section.audits.len() == 1 { "value".to_owned() } else { label(audit) };
        table.row(row(&name, &|c| columns[c][i].as_ref().map_or_else(String::new, value)));
    }
    let threshold = |c: usize| columns[c].iter().flatten().next().map(|check| check.threshold);
    table.row(row("limit", &|c| threshold(c).map_or_else(String::new, |t| limit(known[c], t))));
    let margins: Vec<String> = columns.iter().map(|column| margin(column)).collect();
    if margins.iter().any(|margin| !margin.is_empty()) {
        let name = if section.audits.len() == 1 { "margin" } else { "worst margin" };
        table.row(row(name, &|c| margins[c].clone()));
    }
    let fired: Vec<String> = columns.iter().map(|column| first_fired(column)).collect();
    if fired.iter().any(|fired| !fired.is_empty()) {
        table.row(row("from epoch", &|c| fired[c].clone()));
    }
    table.text() + &remarks(section, &columns)
}

fn heading(id: CheckId) -> &'static str {
    match id {
        CheckId::D1 => "D1 growth",
        CheckId::D2 => "D2 ‖g_L‖",
        CheckId::D3 => "D3 gain",
        CheckId::Direction => "direction",
        CheckId::Consistency => "consistency",
    }
}

fn value(check: &CheckResult) -> String {
    let number = check.statistic.map_or_else(String::new, |x| format!(" {}", statistic(check.check, x)));
    format!("{}{number}", outcome_symbol(&check.outcome))
}

/// How far the worst seed is from the limit, in words; on which side is clear from the outcome.
fn margin(column: &[Option<CheckResult>]) -> String {
    let known = column.iter().flatten().filter_map(|check| check.margin.map(|margin| (margin, check)));
    let Some((margin, check)) = known.min_by(|a, b| a.0.total_cmp(&b.0)) else { return String::new() };
    let fires = check.fires();
    let amount = match check.check {
        CheckId::D3 => format!("{:.1}", 100.0 * margin.abs()),
        CheckId::Direction => show::share(margin.abs()),
        _ => format!("×{}", factor(if fires { 1.0 / margin } else { margin })),
    };
    let side = match (fires, check.check) {
        (false, _) => "safe",
        (true, CheckId::D3) => "short",
        (true, CheckId::D2) => "below",
        (true, _) => "above",
    };
    format!("{amount} {side}")
}

/// Two digits are enough for a factor.
fn factor(x: f64) -> String {
    match x {
        _ if !(1.0..1e4).contains(&x) => show::scientific(x),
        _ if x < 10.0 => format!("{x:.1}"),
        _ if x < 100.0 => format!("{x:.0}"),
        _ => {
            let unit = if x < 1000.0 { 10.0 } else { 100.0 };
            format!("{:.0}", (x / unit).round() * unit)
        }
    }
}

/// `3`, or `3, 4, –` where seeds differ.
fn first_fired(column: &[Option<CheckResult>]) -> String {
    let epochs: Vec<Option<u64>> =
        column.iter().map(|check| check.as_ref().and_then(|check| check.first_fired)).collect();
    match epochs.first() {
        _ if epochs.iter().all(Option::is_none) => String::new(),
        Some(Some(first)) if epochs.iter().all(|epoch| epoch == &Some(*first)) => first.to_string(),
        _ => {
            let words = epochs.iter().map(|epoch| epoch.map_or_else(|| "–".to_owned(), |e| e.to_string()));
            words.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Why a check was not made, and what an advisory one that fired is good for.
fn remarks(section: &Section<'_>, columns: &[Vec<Option<CheckResult>>]) -> String {
    let mut text = String::new();
    for column in columns {
        let mut reasons: Vec<(&str, Vec<&Audit>)> = Vec::new();
        for (check, &audit) in column.iter().zip(&section.audits) {
            let Some(Outcome::NotAssessed { why }) = check.as_ref().map(|check| &check.outcome) else {
                continue;
            };
            match reasons.iter_mut().find(|(words, _)| words == why) {
                Some((_, audits)) => audits.push(audit),
                None => reasons.push((why, vec![audit])),
            }
        }
        let name = column.iter().flatten().next().map_or("", |check| check.check.name());
        for (why, audits) in reasons {
            let which = which(&audits, section.audits.len());
            let which = if which.is_empty() { which } else { format!(" ({which})") };
            text.push_str(&format!("{}\n", show::wrap(&format!("? {name} not assessed{which}: {why}"), 2)));
        }
        if column.iter().flatten().any(|check| check.advisory && check.fires()) {
            text.push_str(&format!("· {name} only advises; the verdict does not count it\n"));
        }
    }
    text
}

/// `‖g_L‖/‖e_T‖`: a solved task shrinks the gradient without any fault, which this ratio shows.
pub(super) fn ratio(section: &Section<'_>) -> String {
    let ratio = |audit: &Audit| {
        let gradient = at_floor(audit.states.last()?.gradient?);
        audit.error.filter(|&error| error > 0.0).map(|error| gradient / error)
    };
    let list = |values: Vec<f64>| {
        let mut words: Vec<String> = values.into_iter().map(show::scientific).collect();
        words.dedup();
        words.join(", ")
    };
    let ratios = section.values(ratio);
    if ratios.is_empty() {
        return String::new();
    }
    let errors = list(section.values(|audit| audit.error));
    format!("{}\n", show::wrap(&format!("‖g_L‖/‖e_T‖ {}, with ‖e_T‖ {errors}", list(ratios)), 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_have_two_digits() {
        assert_eq!(
            [1.0, 4.46, 23.8, 312.0, 1312.0, 65_000.0].map(factor),
            ["1.0", "4.5", "24", "310", "1300", "6.5e4"]
        );
    }

    #[test]
    fn a_margin_says_on_which_side_it_lies() {
        let check = |check, margin, fires: bool| {
            let outcome = if fires { Outcome::Fires } else { Outcome::Passes };
            let (statistic, threshold) = (None, 1.0);
            let margin = Some(margin);
            Some(CheckResult {
                check,
                outcome,
                statistic,
                threshold,
                margin,
                first_fired: None,
                advisory: false,
            })
        };
        assert_eq!(margin(&[check(CheckId::D1, 0.001, true), check(CheckId::D1, 4.0, false)]), "×1000 above");
        assert_eq!(margin(&[check(CheckId::D2, 0.042, true)]), "×24 below");
        assert_eq!(margin(&[check(CheckId::D2, 3100.0, false)]), "×3100 safe");
        assert_eq!(margin(&[check(CheckId::D3, -0.091, true)]), "9.1 short");
        assert_eq!(margin(&[check(CheckId::Direction, 0.18, false)]), ".180 safe");
        assert_eq!(margin(&[None]), "");
    }
}
