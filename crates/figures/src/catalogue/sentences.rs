//! Captions of `audit-hero`, chosen by the values that its panels show. No sentence asserts a value that is drawn hollow.

use super::audit_hero::Row;
use super::convention::Convention;
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

/// (b): which rules look like learning by the usual pair.
pub(super) fn pair(rows: &[Row], chance: Option<f64>) -> String {
    let Some(chance) = chance else {
        return "What is usually reported: accuracy and one mean cosine".to_owned();
    };
    let looks = |row: &&&Row| {
        row.accuracy.is_some_and(|a| a.0 > chance) && row.gamma.is_some_and(|gamma| gamma.0 > 0.0)
    };
    let pairs = |row: &Row| row.accuracy.is_some() && row.gamma.is_some();
    let all = shown(rows, pairs);
    let others = others(rows, pairs);
    let names = |firm: bool| -> Vec<String> {
        others.iter().filter(|row| looks(row) && row.firm == firm).map(|row| short(row)).collect()
    };
    let (firm, doubtful) = (names(true), names(false));
    let bp = all.iter().find(|row| row.rule == "bp" && looks(row)).map(|row| short(row));
    let what = "accuracy above chance, positive mean cosine";
    let looking = |names: &[String]| {
        let verb = if names.len() == 1 { "looks" } else { "look" };
        format!("By the usual pair, {} {verb} like learning: {what}", list(names))
    };
    let doubt = "rests on cosines that cannot be judged";
    match (firm.is_empty(), doubtful.is_empty()) {
        (true, true) => match bp {
            Some(bp) if others.is_empty() => format!("By the usual pair, {bp} looks like learning"),
            Some(bp) => format!("By the usual pair, only {bp} looks like learning"),
            None => "By the usual pair, no rule looks like learning".to_owned(),
        },
        (false, true) => looking(&firm),
        (true, false) => format!("{}. The mean {doubt}", looking(&doubtful)),
        (false, false) => {
            let all: Vec<String> = others.iter().filter(looks).map(|row| short(row)).collect();
            format!("{}. That of {} {doubt}", looking(&all), list(&doubtful))
        }
    }
}

/// (c): which weak units the mean hides, and whose cosines cannot be judged.
pub(super) fn cosines(rows: &[Row], convention: Convention) -> String {
    let unit = match convention {
        Convention::Credit => "unit",
        Convention::Input => "block",
    };
    let has = |row: &Row| row.cosine.iter().any(|d| d.y.is_finite());
    let mut hidden = Vec::new();
    let mut nowhere = Vec::new();
    let others = others(rows, has);
    for row in &others {
        // Negative cosines are weak too.
        let weak = layers(row, |d| d.firm && d.y < NEAR_ZERO);
        if !weak.is_empty() && weak.len() == row.cosine.len() {
            nowhere.push(short(row));
        } else if !weak.is_empty() {
            hidden.push(format!("{} at {}", short(row), places(&weak, convention)));
        }
    }
    let firm = others.iter().any(|row| row.cosine.iter().any(|d| d.firm && d.y.is_finite()));
    let bp = rows.iter().find(|row| row.rule == "bp").map_or_else(|| "BP".to_owned(), short);
    let open = open(&shown(rows, has), convention);
    let below = format!("a cosine below {NEAR_ZERO}");
    let words = match (hidden.is_empty(), nowhere.is_empty()) {
        (true, true) if others.is_empty() => format!("No rule other than {bp} has a cosine"),
        (true, true) if !firm => format!("No rule other than {bp} has a reliable cosine"),
        (true, true) if open.is_some() => format!("No reliable cosine is below {NEAR_ZERO}"),
        (true, true) => format!("No cosine is below {NEAR_ZERO}"),
        (false, true) => format!("The mean hides {unit}s with {below}: {}", list(&hidden)),
        (true, false) => format!("Every {unit} of {} has {below}", list(&nowhere)),
        (false, false) => {
            format!(
                "The mean hides {unit}s with {below}: {}; every {unit} of {}",
                list(&hidden),
                list(&nowhere)
            )
        }
    };
    open.map_or_else(|| words.clone(), |open| format!("{words}. Cannot be judged: {open}"))
}

/// The layers whose cosine `is` accepts.
fn layers(row: &Row, is: impl Fn(&Datum) -> bool) -> Vec<usize> {
    row.cosine.iter().filter(|d| is(d)).map(|d| d.x as usize).collect()
}

/// Rules with the layers that have no reliable cosine, grouped by these; `None` if there is none.
fn open(rows: &[&Row], convention: Convention) -> Option<String> {
    let by_layers = rows.iter().map(|row| (layers(row, |d| !d.firm), short(row)));
    let groups = gathered(by_layers.filter(|(layers, _)| !layers.is_empty()));
    let words: Vec<String> = groups
        .iter()
        .map(|(layers, names)| format!("{} at {}", list(names), places(layers, convention)))
        .collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// The names of layers: `embed, $l=0,1$`.
fn places(layers: &[usize], convention: Convention) -> String {
    let (blocks, others): (Vec<_>, Vec<_>) =
        layers.iter().map(|layer| convention.place(*layer)).partition(|place| place.parse::<usize>().is_ok());
    let blocks: Vec<usize> = blocks.iter().filter_map(|place| place.parse().ok()).collect();
    let numbers = (!blocks.is_empty()).then(|| format!("$l={}$", runs(&blocks)));
    others.into_iter().chain(numbers).collect::<Vec<_>>().join(", ")
}

/// (d): whose reference gradient falls below the floor or varies most over layers.
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
