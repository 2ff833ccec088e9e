//! Which rules two measures rank in opposite order, and the caption that says so.

use super::draw::Row;
use super::measure::{Measure, Summary};
use crate::catalogue::sentences::list;

/// More pairs than this are counted instead of named.
const NAMED: usize = 2;
/// More rules than this are counted instead of named.
const RULES: usize = 5;

/// Two rules that two measures rank in opposite order.
pub(super) struct Opposite {
    /// The rule that the cosine prefers.
    pub(super) first: usize,
    /// The rule that the other measure prefers.
    pub(super) second: usize,
    /// Whether both differences are larger than the spread over seeds; true if no spread is known.
    pub(super) clear: bool,
}

/// Whether a rule's mean cosine is over all its units; a mean over some of them is not comparable.
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

/// The caption of a panel: which rules can be ranked, which of them are ranked in opposite order, and which are left out and why.
pub(super) fn sentence(rows: &[Row], other: Measure, opposites: &[Opposite]) -> String {
    let known = || rows.iter().filter(|row| row.get(Measure::Cosine).is_some() && row.get(other).is_some());
    let ranked: Vec<String> = known().filter(|row| is_whole(row)).map(|row| row.name.clone()).collect();
    let partial = |row: &&Row| Some((row.name.clone(), row.get(Measure::Cosine)?.share()?));
    let left_out: Vec<(String, String)> = known().filter_map(|row| partial(&row)).collect();
    let pair = format!("Cosine and {}", other.label());
    let mut words = match ranked.len() {
        0 if known().next().is_none() => return format!("No rule has both cosine and {}", other.label()),
        0 => format!("{pair}: no two comparable rules"),
        1 => format!("Only {} has both cosine and {}: nothing to rank", ranked[0], other.label()),
        2 if opposites.is_empty() => format!("{pair} rank {} the same way", list(&ranked)),
        n if opposites.is_empty() && (left_out.is_empty() || n > RULES) => {
            format!(
                "{pair}: no reversal among the {n} {}rules",
                if left_out.is_empty() { "" } else { "rankable " }
            )
        }
        _ if opposites.is_empty() => format!("{pair}: no reversal among {}", list(&ranked)),
        _ => different(rows, &pair, opposites),
    };
    if !left_out.is_empty() {
        let names: Vec<String> =
            left_out.iter().map(|(name, share)| format!("{name} ({share} units)")).collect();
        let names = if names.len() > RULES { format!("{} rules", names.len()) } else { list(&names) };
        words.push_str(&format!("; not ranked, some units unreliable: {names}"));
    }
    words
}

fn different(rows: &[Row], pair: &str, opposites: &[Opposite]) -> String {
    let any_clear = opposites.iter().any(|pair| pair.clear);
    let end = if any_clear { "" } else { ", within the spread over seeds" };
    let shown: Vec<&Opposite> = opposites.iter().filter(|pair| pair.clear == any_clear).collect();
    let words = |pair: &&Opposite| {
        let earlier = pair.first.min(pair.second);
        let later = pair.first.max(pair.second);
        format!("{} and {}", rows[earlier].name, rows[later].name)
    };
    let names: Vec<String> = shown.iter().take(NAMED).map(words).collect();
    let more = match shown.len().saturating_sub(NAMED) {
        0 => String::new(),
        1 => ", and another pair".to_owned(),
        n => format!(", and {n} more pairs"),
    };
    format!("{pair} rank {} differently{more}{end}", names.join(", and "))
}
