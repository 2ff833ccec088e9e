//! Which rules two measures rank in opposite order, and how that is said.

use super::draw::Row;
use super::measure::{Measure, Summary};
use crate::catalogue::sentences::list;

/// More pairs, or rules, than these are counted in place of being named.
const NAMED: usize = 2;

/// Two rules that two measures rank in opposite order.
pub(super) struct Opposite {
    /// The rule that the cosine prefers.
    pub(super) first: usize,
    /// The rule that the other measure prefers.
    pub(super) second: usize,
    /// Whether both differences are larger than the spread over seeds; with one seed there is none to compare
    /// with.
    pub(super) clear: bool,
}

/// Whether a rule's mean cosine is over all its units. A mean over some of them does not compare with one over all.
fn is_whole(row: &Row) -> bool {
    row.get(Measure::Cosine).is_some_and(|cosine| cosine.share().is_none())
}

/// Pairs that cosine and `other` rank in opposite order, in the order of the rules.
pub(super) fn opposites(rows: &[Row], other: Measure) -> Vec<Opposite> {
    let merit =
        |row: &Row, m: Measure| row.get(m).filter(|_| is_whole(row)).map(|s| m.merit(s.over_seeds.mean));
    let mut found = Vec::new();
    for (i, a) in rows.iter().enumerate() {
        for (j, b) in rows.iter().enumerate().skip(i + 1) {
            let gap = |m: Measure| Some(merit(a, m)? - merit(b, m)?);
            let (Some(cosine), Some(by_other)) = (gap(Measure::Cosine), gap(other)) else { continue };
            if cosine * by_other >= 0.0 {
                continue;
            }
            let clear = [Measure::Cosine, other].iter().all(|m| is_clear(a.get(*m), b.get(*m)));
            let (first, second) = if cosine > 0.0 { (i, j) } else { (j, i) };
            found.push(Opposite { first, second, clear });
        }
    }
    found
}

/// Whether two means are further apart than either's spread over seeds.
fn is_clear(a: Option<&Summary>, b: Option<&Summary>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    let gap = (a.over_seeds.mean - b.over_seeds.mean).abs();
    [a, b].iter().all(|s| s.over_seeds.sd.is_none_or(|sd| gap > sd))
}

/// What the ranks of a panel say.
pub(super) fn sentence(rows: &[Row], other: Measure, opposites: &[Opposite]) -> String {
    let known = || rows.iter().filter(|row| row.get(Measure::Cosine).is_some() && row.get(other).is_some());
    let ranked: Vec<&Row> = known().filter(|row| is_whole(row)).collect();
    let pair = format!("Cosine and {}", other.label());
    let mut words = match ranked.len() {
        0 if known().next().is_none() => return format!("No rule has both cosine and {}", other.label()),
        0 => format!("{pair} rank no two rules"),
        1 => format!("Only {} has both cosine and {}: nothing to rank", ranked[0].name, other.label()),
        2 if opposites.is_empty() => format!("{pair} rank {} and {} alike", ranked[0].name, ranked[1].name),
        n if opposites.is_empty() => format!("{pair} rank all {n} rules alike"),
        _ => different(rows, &pair, opposites),
    };
    // A mean over few units is no mean over the network.
    let partial = |row: &&Row| Some(format!("{} ({} units)", row.name, row.get(Measure::Cosine)?.share()?));
    let few: Vec<String> = known().filter_map(|row| partial(&row)).collect();
    match few.len() {
        0 => {}
        1..=NAMED => words.push_str(&format!("; not ranked, as some units are unreliable: {}", list(&few))),
        n => words.push_str(&format!("; not ranked, as some units are unreliable: {n} rules")),
    }
    words
}

fn different(rows: &[Row], pair: &str, opposites: &[Opposite]) -> String {
    let named = |clear: bool| -> Vec<&Opposite> { opposites.iter().filter(|o| o.clear == clear).collect() };
    let (clear, within) = (named(true), named(false));
    let (shown, end) =
        if clear.is_empty() { (&within, ", within the spread over seeds") } else { (&clear, "") };
    let words = |o: &&Opposite| {
        let (low, high) = (o.first.min(o.second), o.first.max(o.second));
        format!("{} and {}", rows[low].name, rows[high].name)
    };
    let names: Vec<String> = shown.iter().take(NAMED).map(words).collect();
    let more = match shown.len().saturating_sub(NAMED) {
        0 => String::new(),
        1 => ", and another pair".to_owned(),
        n => format!(", and {n} more pairs"),
    };
    format!("{pair} rank {} differently{more}{end}", names.join(", and "))
}
