//! The values of a figure as a table, read from the elements that are drawn. Every row says by the names of records and recipes what
//! it is about; labels may change, these do not.

use super::axis::AxisKind;
use super::diagram::Diagram;
use super::element::{Bars, Datum, Element};
use super::figure::{Figure, Panel};
use super::meanings;
use super::spread::Interval;
use super::table_header;
use crate::scene::{Meaning, Tag};
use record::escape;
use std::fmt::Write;

/// Columns before those of the meaning.
const COLUMNS: [&str; 11] =
    ["panel", "label", "kind", "x", "y", "low", "high", "remark", "spread", "x_low", "x_high"];

/// What a row is about, by the name of its column.
const ABOUT: [Tag; 9] = [
    Tag::Series,
    Tag::Rule,
    Tag::Penalty,
    Tag::Frozen,
    Tag::Modifiers,
    Tag::Seed,
    Tag::Null,
    Tag::Source,
    Tag::Unit,
];

/// Low and high are the ends of a range.
pub(super) const RANGE: &str = "range";

/// A row; missing cells are empty.
#[derive(Default)]
struct Row<'a> {
    label: &'a str,
    kind: &'a str,
    x: String,
    y: String,
    ends: Option<(f64, f64)>,
    /// What the ends are.
    spread: &'a str,
    x_ends: Option<(f64, f64)>,
    remark: &'a str,
    meaning: Meaning,
}

impl Figure {
    /// The plotted values as CSV, below comment lines that start with `#`.
    pub fn table(&self, comments: &[String]) -> String {
        let mut out = String::new();
        for comment in comments.iter().flat_map(|c| c.lines()) {
            let _ = writeln!(out, "# {comment}");
        }
        let about = ABOUT.iter().map(|tag| tag.name());
        let columns: Vec<String> = COLUMNS.iter().map(|&c| c.to_owned()).chain(about).collect();
        let _ = writeln!(out, "{},network", columns.join(","));
        if let Some(diagram) = &self.diagram {
            write_diagram(diagram, &mut out);
        }
        for panel in self.panels.iter().filter(|panel| !panel.is_blank()) {
            write_panel(panel, &mut out);
        }
        out
    }

    /// What the table does not say in rows: panels in a line, axes, colours, each as JSON for scripts.
    pub fn header(&self) -> Vec<String> {
        table_header::lines(self)
    }
}

fn write_diagram(diagram: &Diagram, out: &mut String) {
    for (label, kind, meaning, x, remark) in diagram.rows() {
        push(out, (&diagram.name, None), &Row { label, kind, x, remark: &remark, meaning, ..Row::default() });
    }
}

fn write_panel(panel: &Panel, out: &mut String) {
    let mut write = |row: Row<'_>| push(out, (&panel.name, panel.network.as_deref()), &row);
    if let Some(why) = &panel.absent {
        write(Row { kind: "absent", remark: why, ..Row::default() });
        return;
    }
    let y = |right: bool, value: f64| panel.right.as_ref().filter(|_| right).unwrap_or(&panel.y).word(value);
    let remark = |datum: &Datum| match (datum.firm, datum.inert) {
        (false, _) => "unreliable",
        (true, true) => "inert",
        (true, false) => "",
    };
    for element in &panel.elements {
        match element {
            Element::Line(line) => {
                for d in &line.data {
                    let (x, y, remark) = (panel.x.word(d.x), y(line.right, d.y), remark(d));
                    let meaning = meanings::datum(panel, line, d);
                    write(Row { label: &line.name, kind: "line", x, y, remark, meaning, ..Row::default() });
                }
            }
            Element::Band(band) => {
                for &(x, low, high) in &band.data {
                    let meaning = meanings::beside(panel, x, &band.meaning);
                    let row = Row {
                        ends: Some((low, high)),
                        spread: band.spread.word(),
                        meaning,
                        ..Row::default()
                    };
                    write(Row { label: &band.name, kind: "band", x: panel.x.word(x), ..row });
                }
            }
            Element::Bars(bars) => bars_of(panel, bars, &mut write),
            Element::Strip(strip) => {
                for (d, edges) in strip.data.iter().zip(strip.edges()) {
                    let (x, y) = (panel.x.word(d.x), strip.shade.axis.word(d.y));
                    let remark = if d.y.is_nan() { "undefined" } else { remark(d) };
                    let row = Row {
                        x_ends: Some(edges),
                        meaning: meanings::cell(panel, strip, d),
                        ..Row::default()
                    };
                    write(Row { label: &strip.name, kind: "cell", x, y, remark, ..row });
                }
            }
            Element::Spot(spot) => {
                let ends = spot.error.1.map(ends_of);
                let x_ends = spot.error.0.map(ends_of);
                let spread = spot.error.1.or(spot.error.0).map_or("", |error| error.spread.word());
                let (x, y, remark) = (panel.x.word(spot.at.x), y(false, spot.at.y), remark(&spot.at));
                let row =
                    Row { ends, x_ends, spread, meaning: meanings::spot(panel, spot), ..Row::default() };
                write(Row { label: &spot.name, kind: "point", x, y, remark, ..row });
            }
            Element::Guide(guide) if guide.listed => {
                let label = guide.label.as_deref().unwrap_or_default();
                let (x, y) = if guide.vertical {
                    (panel.x.word(guide.at), String::new())
                } else {
                    (String::new(), y(guide.right, guide.at))
                };
                let meaning = guide.meaning.clone();
                write(Row { label, kind: "guide", x, y, meaning, ..Row::default() });
            }
            Element::Remark(remark) => {
                let (y, meaning) = (panel.y.word(remark.at), remark.meaning.clone());
                write(Row { kind: "remark", y, remark: &remark.text, meaning, ..Row::default() });
            }
            Element::Guide(_) | Element::Region(_) | Element::Key(_) => {}
        }
    }
    remarks(panel, &mut write);
}

/// The remarks along the right axis of a panel whose vertical axes are names.
fn remarks<'a>(panel: &'a Panel, write: &mut impl FnMut(Row<'a>)) {
    let Some(AxisKind::Categories(names)) = panel.right.as_ref().map(|axis| &axis.kind) else { return };
    for (i, remark) in names.iter().enumerate() {
        write(Row { kind: "remark", y: panel.y.word(i as f64), remark, ..Row::default() });
    }
}

fn ends_of(interval: Interval) -> (f64, f64) {
    (interval.low, interval.high)
}

fn bars_of<'a>(panel: &Panel, bars: &'a Bars, write: &mut impl FnMut(Row<'a>)) {
    for bar in &bars.bars {
        let x = panel.x.word(bar.x);
        let remark = if bar.y.is_nan() { bar.value.as_deref().unwrap_or_default() } else { "" };
        let meaning = meanings::bar(panel, bars, bar);
        let x_ends = Some((bar.x - bars.width / 2.0, bar.x + bars.width / 2.0));
        let row = Row { label: &bars.name, x: x.clone(), x_ends, remark, meaning, ..Row::default() };
        write(if bar.base == 0.0 {
            let spread = bar.error.map_or("", |error| error.spread.word());
            Row { kind: "bar", y: panel.y.word(bar.y), ends: bar.error.map(ends_of), spread, ..row }
        } else {
            Row { kind: "range", ends: Some((bar.base, bar.y)), spread: RANGE, ..row }
        });
        for (seed, point) in &bar.points {
            let y = panel.y.word(*point);
            let meaning = meanings::point(panel, bars, bar, *seed, *point);
            write(Row { label: &bars.name, kind: "value", x: x.clone(), y, meaning, ..Row::default() });
        }
    }
}

/// Writes a row of a panel, given by its name and its network.
fn push(out: &mut String, (panel, network): (&str, Option<&str>), row: &Row<'_>) {
    let number = |v: Option<f64>| v.filter(|v| !v.is_nan()).map_or_else(String::new, |v| v.to_string());
    let mut cells = vec![
        quoted(panel),
        quoted(row.label),
        row.kind.to_owned(),
        quoted(&row.x),
        quoted(&row.y),
        number(row.ends.map(|ends| ends.0)),
        number(row.ends.map(|ends| ends.1)),
        quoted(row.remark),
        row.spread.to_owned(),
        number(row.x_ends.map(|ends| ends.0)),
        number(row.x_ends.map(|ends| ends.1)),
    ];
    let tag = |wanted: Tag| row.meaning.tags().find(|(tag, _)| *tag == wanted).map(|(_, value)| value);
    for about in ABOUT {
        let state = || (about == Tag::Unit).then(|| tag(Tag::State).map(|l| format!("h_{l}"))).flatten();
        cells.push(quoted(&tag(about).map(str::to_owned).or_else(state).unwrap_or_default()));
    }
    cells.push(quoted(network.unwrap_or_default()));
    let _ = writeln!(out, "{}", cells.join(","));
}

/// A CSV cell without line breaks.
fn quoted(text: &str) -> String {
    escape::csv(&text.replace(['\n', '\r'], " "))
}
