//! The checks of a group: one row per seed, then the limit, how far off the worst seed is, and when each fired first.

use super::section::Section;
use super::words::{check, label, limit, outcome_symbol, statistic, which};
use crate::page::Line;
use crate::show::{self, Symbol, Table, Text};
use protocol::gathered;
use record::audit::{CheckId, CheckResult, Outcome};

/// The order in which they are read: those that make the verdict first.
const ORDER: [CheckId; 5] = [CheckId::D1, CheckId::D2, CheckId::D3, CheckId::Direction, CheckId::Consistency];

/// The checks of each seed, in the order in which they are read.
type Columns = Vec<Vec<Option<CheckResult>>>;

pub(super) fn checks(section: &Section<'_>) -> (Table, Vec<Line>) {
    let known = ORDER.into_iter().filter(|&id| section.audits.iter().any(|audit| check(audit, id).is_some()));
    let known: Vec<CheckId> = known.collect();
    let columns: Columns = known
        .iter()
        .map(|&id| section.audits.iter().map(|audit| check(audit, id).cloned()).collect())
        .collect();
    let heading: Vec<&str> = std::iter::once("check").chain(known.iter().map(|&id| heading(id))).collect();
    let mut table = Table::new(&heading, 1);
    let mut row = |name: &str, cell: &dyn Fn(usize) -> Text| {
        table.row(std::iter::once(Text::from(name)).chain((0..known.len()).map(cell)).collect());
    };
    for (i, audit) in section.audits.iter().enumerate() {
        let name = if section.audits.len() == 1 { "value".to_owned() } else { label(audit) };
        row(&name, &|c| columns[c][i].as_ref().map_or_else(Text::default, value));
    }
    let threshold = |c: usize| columns[c].iter().flatten().next().map(|check| check.threshold);
    row("limit", &|c| threshold(c).map_or_else(String::new, |t| limit(known[c], t)).into());
    let name = if section.audits.len() == 1 { "margin" } else { "worst margin" };
    row(name, &|c| margin(&columns[c]).into());
    row("from epoch", &|c| first_fired(&columns[c]).into());
    (table.without_blanks(), remarks(section, &columns))
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

fn value(check: &CheckResult) -> Text {
    let number = check.statistic.map_or_else(String::new, |x| format!(" {}", statistic(check.check, x)));
    Text::from(outcome_symbol(&check.outcome)).then(number)
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

/// Why a check was not made, and that an advisory one that fired does not count.
fn remarks(section: &Section<'_>, columns: &Columns) -> Vec<Line> {
    let mut lines = Vec::new();
    for column in columns {
        let name = column.iter().flatten().next().map_or("", |check| check.check.name());
        let open =
            column.iter().zip(&section.audits).filter_map(|(check, &audit)| match &check.as_ref()?.outcome {
                Outcome::NotAssessed { why } => Some((why, audit)),
                _ => None,
            });
        for (why, audits) in gathered(open) {
            let which = which(&audits, section.audits.len());
            let which = if which.is_empty() { which } else { format!(" ({which})") };
            lines.push(Line::new(Some(Symbol::Open), format!("{name} not assessed: {why}{which}")));
        }
        if column.iter().flatten().any(|check| check.advisory && check.fires()) {
            let words = format!("{name} only advises; the verdict does not count it");
            lines.push(Line::new(Some(Symbol::Chance), words));
        }
    }
    lines
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
            let statistic = None;
            let threshold = 1.0;
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
