//! Captions of `audit-hero`, chosen by the values that its panels show.

use super::audit_hero::Row;
use super::request::PUBLISHED;
use crate::plot::Datum;
use protocol::gathered;

/// A cosine below this counts as no alignment.
const NEAR_ZERO: f64 = 0.1;

/// Joins names: `A`, `A and B`, `A, B and C`.
pub(super) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The rows that captions are about: the measured ones, or the published ones if nothing is measured.
fn shown(rows: &[Row], has: impl Fn(&Row) -> bool) -> Vec<&Row> {
    let some: Vec<&Row> = rows.iter().filter(|row| has(row)).collect();
    let measured = some.iter().any(|row| !row.published);
    some.into_iter().filter(|row| row.published != measured).collect()
}

/// [`shown`] without backpropagation.
fn others(rows: &[Row], has: impl Fn(&Row) -> bool) -> Vec<&Row> {
    shown(rows, has).into_iter().filter(|row| row.rule != "bp").collect()
}

fn short(row: &Row) -> String {
    row.name.replace(PUBLISHED, "")
}

/// (A): which rules look like learning by the usual pair.
pub(super) fn pair(rows: &[Row], chance: Option<f64>) -> String {
    let Some(chance) = chance else {
        return "What is usually reported: accuracy and one mean cosine".to_owned();
    };
    let looks = |row: &&&Row| {
        row.accuracy.is_some_and(|a| a.mean > chance) && row.gamma.is_some_and(|gamma| gamma.mean > 0.0)
    };
    let pairs = |row: &Row| row.accuracy.is_some() && row.gamma.is_some();
    let all = shown(rows, pairs);
    let others = others(rows, pairs);
    let names: Vec<String> = others.iter().filter(looks).map(|row| short(row)).collect();
    let bp = all.iter().find(|row| row.rule == "bp").is_some_and(|row| looks(&row));
    match names.len() {
        0 if bp && others.is_empty() => "By the usual pair, BP looks like learning".to_owned(),
        0 if bp => "By the usual pair, only BP looks like learning".to_owned(),
        0 => "By the usual pair, no rule looks like learning".to_owned(),
        n => {
            let verb = if n == 1 { "looks" } else { "look" };
            let names = list(&names);
            format!(
                "By the usual pair, {names} {verb} like learning: accuracy above chance, positive mean cosine"
            )
        }
    }
}

/// (B): which weak blocks the mean hides, and which blocks have no reliable cosine.
pub(super) fn cosines(rows: &[Row]) -> String {
    let has = |row: &Row| row.cosine.iter().any(|d| d.y.is_finite());
    let mut hidden = Vec::new();
    let mut nowhere = Vec::new();
    let others = others(rows, has);
    for row in &others {
        // Negative cosines are weak too.
        let weak = blocks(row, |d| d.firm && d.y < NEAR_ZERO);
        if !weak.is_empty() && weak.len() == row.cosine.len() {
            nowhere.push(short(row));
        } else if !weak.is_empty() {
            hidden.push(format!("{} at $l={}$", short(row), runs(&weak)));
        }
    }
    let firm = others.iter().any(|row| row.cosine.iter().any(|d| d.firm && d.y.is_finite()));
    let unreliable = unreliable(&shown(rows, has));
    let words = match (hidden.is_empty(), nowhere.is_empty()) {
        (true, true) if others.is_empty() => "No rule other than BP has a cosine".to_owned(),
        (true, true) if !firm => "No rule other than BP has a reliable cosine".to_owned(),
        (true, true) if unreliable.is_some() => format!("No reliable cosine is below {NEAR_ZERO}"),
        (true, true) => format!("No cosine is below {NEAR_ZERO}"),
        (false, true) => format!("The mean hides blocks with a cosine below {NEAR_ZERO}: {}", list(&hidden)),
        (true, false) => format!("Every block of {} has a cosine below {NEAR_ZERO}", list(&nowhere)),
        (false, false) => {
            let hidden = list(&hidden);
            let nowhere = list(&nowhere);
            format!(
                "The mean hides blocks with a cosine below {NEAR_ZERO}: {hidden}; every block of {nowhere}"
            )
        }
    };
    unreliable.map_or_else(|| words.clone(), |unreliable| format!("{words}. Unreliable: {unreliable}"))
}

/// The blocks whose cosine `is` accepts.
fn blocks(row: &Row, is: impl Fn(&Datum) -> bool) -> Vec<usize> {
    row.cosine.iter().filter(|d| is(d)).map(|d| d.x as usize).collect()
}

/// Rules with the blocks that have no reliable cosine, grouped by these blocks; `None` if there is none.
fn unreliable(rows: &[&Row]) -> Option<String> {
    let by_blocks = rows.iter().map(|row| (blocks(row, |d| !d.firm), short(row)));
    let groups = gathered(by_blocks.filter(|(layers, _)| !layers.is_empty()));
    let words: Vec<String> =
        groups.iter().map(|(layers, names)| format!("{} at $l={}$", list(names), runs(layers))).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// (C): whose reference gradient falls below the floor or varies most over layers.
pub(super) fn gradients(rows: &[Row], floor: f64) -> String {
    let rows = shown(rows, |row| row.gradient.iter().any(|d| d.y.is_finite()));
    let sizes =
        |row: &Row| -> Vec<f64> { row.gradient.iter().map(|d| d.y).filter(|g| g.is_finite()).collect() };
    let least = |row: &Row| sizes(row).into_iter().fold(f64::INFINITY, f64::min);
    let below: Vec<String> = rows.iter().filter(|row| least(row) < floor).map(|row| short(row)).collect();
    let spread = |row: &&&Row| {
        let most = sizes(row).into_iter().fold(0.0, f64::max);
        (most / least(row), short(row))
    };
    let steepest = rows
        .iter()
        .filter(|row| !below.contains(&short(row)))
        .map(|row| spread(&row))
        .filter(|s| s.0 > 10.0)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let change = steepest
        .map(|(factor, name)| format!("for {name}, it varies by {}", magnitude(factor.log10().round())));
    let names = list(&below);
    match (below.is_empty(), change) {
        (false, Some(change)) => format!("For {names}, the reference falls below the floor; {change}"),
        (false, None) => format!("For {names}, the reference falls below the floor"),
        (true, Some(change)) => format!("The reference stays above the floor; {change}"),
        (true, None) => "The reference has about the same size at all layers".to_owned(),
    }
}

fn magnitude(orders: f64) -> String {
    match orders as i64 {
        1 => "an order of magnitude".to_owned(),
        n => format!("{n} orders of magnitude"),
    }
}

/// Numbers as math, with consecutive ones as ranges: `0,1`, `1\text{–}3,7`.
fn runs(numbers: &[usize]) -> String {
    let together = numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [only] => only.to_string(),
        [first, second] => format!("{first},{second}"),
        [first, .., last] => format!("{first}\\text{{–}}{last}"),
        [] => String::new(),
    });
    together.collect::<Vec<_>>().join(",")
}
