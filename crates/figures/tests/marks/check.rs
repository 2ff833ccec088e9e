//! Checks on the marks of a picture.

use crate::made::{Plan, records};
use figures::catalogue::{Drawing, Published, Request};
use figures::plot::Style;
use figures::text::Typesetter;
use figures::{Entry, Format, files};
use std::collections::BTreeMap;

/// The attributes of a mark, without `data-`.
type Mark = BTreeMap<String, String>;
/// A row of the table, by column.
type Row = BTreeMap<String, String>;

/// Kinds that show values of a rule.
const OF_RULES: [&str; 7] = ["line", "band", "bar", "range", "value", "point", "cell"];

pub(crate) const PLAN: Plan = Plan { rules: 4, seeds: 3, epochs: 12, blocks: 3, long: false, broken: false };

pub(crate) fn requests(published: Published) -> Vec<Request> {
    let request = |plan: Plan| Request { records: records(plan), ..Request::default() };
    let published = Request { published: Some(published), ..request(PLAN) };
    let broken = Plan { rules: 6, broken: true, ..PLAN };
    vec![request(PLAN), request(Plan { seeds: 1, ..PLAN }), request(broken), published]
}

/// The figures of a request that have something to show, by name.
pub(crate) fn drawn(figures: &[Entry], request: &Request) -> Vec<(&'static str, Drawing)> {
    figures.iter().filter_map(|entry| Some((entry.name, (entry.draw)(request).ok()?))).collect()
}

fn marks(name: &str, drawing: &Drawing) -> Vec<Mark> {
    let style = Style::paper();
    let setter = Typesetter::new(&style.family).unwrap();
    let all = files(name, drawing, &[Format::Svg], &style, 72.0, &setter).unwrap();
    let text = std::str::from_utf8(&all[0].bytes).unwrap();
    let document = roxmltree::Document::parse(text).unwrap();
    let data_attributes = |node: roxmltree::Node<'_, '_>| -> Mark {
        let data = node.attributes().filter_map(|a| Some((a.name().strip_prefix("data-")?, a.value())));
        data.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    document.descendants().map(data_attributes).filter(|mark| !mark.is_empty()).collect()
}

/// Cells of a line of a table whose cells hold no line breaks.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

fn table(drawing: &Drawing) -> Vec<Row> {
    let text = drawing.figure.table(&[]);
    let mut lines = text.lines();
    let columns = cells(lines.next().unwrap());
    lines.map(|line| columns.iter().cloned().zip(cells(line)).collect()).collect()
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

/// The value of a row: along the horizontal axis if the vertical one has names.
fn value(row: &Row) -> &str {
    if is_number(&row["y"]) || row["y"].is_empty() { &row["y"] } else { &row["x"] }
}

/// Whether a mark is about what a row is about.
fn is_of(mark: &Mark, row: &Row) -> bool {
    let unit = mark.get("unit").map(|unit| unit.strip_prefix("block ").unwrap_or(unit));
    let place = ["epoch", "state", "x"].iter().find_map(|tag| mark.get(*tag).map(String::as_str)).or(unit);
    mark["panel"] == row["panel"]
        && mark["kind"] == row["kind"]
        // On an axis of names the coordinate is a name, which the mark need not repeat.
        && (place.is_none_or(|place| place == row["x"]) || !is_number(&row["x"]))
}

/// Every mark of data names its rule and its quantity.
pub(crate) fn are_named(drawings: &[(&'static str, Drawing)]) {
    for (name, drawing) in drawings {
        let marks = marks(name, drawing);
        assert!(!marks.is_empty(), "{name}");
        for guide in marks.iter().filter(|mark| mark["kind"] == "guide") {
            assert!(guide.contains_key("series") && guide.contains_key("value"), "{name}: {guide:?}");
        }
        for mark in marks.iter().filter(|mark| OF_RULES.contains(&mark["kind"].as_str())) {
            // The line between two rules that are ranked in opposite order belongs to neither.
            let joint = *name == "dissociation" && mark["kind"] == "line";
            let named = mark.contains_key("rule") && mark.contains_key("series");
            assert!(named || joint, "{name}: {mark:?}");
            let shows = mark.contains_key("value") || mark.contains_key("high");
            assert!(shows || ["line", "band"].contains(&mark["kind"].as_str()), "{name}: {mark:?}");
        }
    }
}

/// Values are those of the table.
pub(crate) fn are_in_the_table(drawings: &[(&'static str, Drawing)]) {
    for (name, drawing) in drawings {
        let rows = table(drawing);
        let marks = marks(name, drawing);
        for mark in marks.iter().filter(|mark| mark.contains_key("value") && mark["kind"] != "guide") {
            let shown = |row: &Row| match row["remark"].as_str() {
                "undefined" => "undefined".to_owned(),
                _ => value(row).to_owned(),
            };
            let found = rows.iter().any(|row| is_of(mark, row) && shown(row) == mark["value"]);
            assert!(found, "{name}: not in the table: {mark:?}");
            let firm = !mark.contains_key("reliable");
            let inert = firm && mark.contains_key("inert");
            let same_remark = rows.iter().any(|row| {
                let remark = row["remark"].as_str();
                is_of(mark, row)
                    && shown(row) == mark["value"]
                    && (remark != "unreliable") == firm
                    && (remark == "inert") == inert
            });
            assert!(same_remark, "{name}: {mark:?}");
        }
        // Every row of these kinds has its mark.
        for kind in ["bar", "value", "point"] {
            let mut listed: Vec<(&str, &str)> = rows
                .iter()
                .filter(|row| row["kind"] == kind && is_number(value(row)))
                .map(|row| (row["panel"].as_str(), value(row)))
                .collect();
            let of_kind = marks.iter().filter(|mark| mark["kind"] == kind);
            let mut shown: Vec<(&str, &str)> =
                of_kind.map(|mark| (mark["panel"].as_str(), mark["value"].as_str())).collect();
            listed.sort_unstable();
            shown.sort_unstable();
            assert_eq!(shown, listed, "{name}: {kind}");
        }
        let ranges = |row: &&Row| row["kind"] == "range";
        for row in rows.iter().filter(ranges) {
            let is_it =
                |mark: &&Mark| is_of(mark, row) && mark["low"] == row["low"] && mark["high"] == row["high"];
            assert!(marks.iter().any(|mark| is_it(&mark)), "{name}: {row:?}");
        }
    }
}

/// Every seed of [`PLAN`] has its marks.
pub(crate) fn have_every_seed(name: &str, drawing: &Drawing) {
    let mut seeds: Vec<String> =
        marks(name, drawing).iter().filter_map(|mark| mark.get("seed").cloned()).collect();
    seeds.sort();
    seeds.dedup();
    assert_eq!(seeds.len(), PLAN.seeds, "{name}: {seeds:?}");
}

/// Labels change no mark. The names along an axis are labels.
pub(crate) fn are_the_same_under_other_labels(figures: &[Entry], plain: &Request) {
    let names = ["bp", "fa", "dfa"].map(|rule| (rule.to_owned(), format!("My {rule}")));
    let labelled = Request { names: names.into(), ..plain.clone() };
    for ((name, before), (_, after)) in drawn(figures, plain).iter().zip(&drawn(figures, &labelled)) {
        let all = |drawing: &Drawing| {
            let mut all = marks(name, drawing);
            all.iter_mut().for_each(|mark| drop(mark.remove("x-names")));
            all.sort();
            all
        };
        assert!(all(before) == all(after), "{name}");
    }
}
