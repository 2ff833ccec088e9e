//! The values of a figure as a table, read from the elements that are drawn. Horizontal error bars are not listed.

use super::axis::AxisKind;
use super::diagram::Diagram;
use super::element::{Bars, Datum, Element};
use super::figure::{Figure, Panel};
use record::escape;
use std::fmt::Write;

const COLUMNS: [&str; 8] = ["panel", "series", "kind", "x", "y", "low", "high", "remark"];

/// A row; missing cells are empty.
#[derive(Default)]
struct Row<'a> {
    series: &'a str,
    kind: &'a str,
    x: String,
    y: String,
    low: Option<f64>,
    high: Option<f64>,
    remark: &'a str,
}

impl Figure {
    /// The plotted values as CSV, below comment lines that start with `#`.
    pub fn table(&self, comments: &[String]) -> String {
        let mut out = String::new();
        for comment in comments.iter().flat_map(|c| c.lines()) {
            let _ = writeln!(out, "# {comment}");
        }
        let _ = writeln!(out, "{}", COLUMNS.join(","));
        if let Some(diagram) = &self.diagram {
            write_diagram(diagram, &mut out);
        }
        for panel in self.panels.iter().filter(|panel| !panel.is_blank()) {
            write_panel(panel, &mut out);
        }
        out
    }
}

fn write_diagram(diagram: &Diagram, out: &mut String) {
    for (series, kind, x, remark) in diagram.rows() {
        push(out, &diagram.name, &Row { series, kind, x, remark: &remark, ..Row::default() });
    }
}

fn write_panel(panel: &Panel, out: &mut String) {
    let mut write = |row: Row<'_>| push(out, &panel.name, &row);
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
                    let x = panel.x.word(d.x);
                    let y = y(line.right, d.y);
                    let remark = remark(d);
                    write(Row { series: &line.name, kind: "line", x, y, remark, ..Row::default() });
                }
            }
            Element::Band(band) => {
                for &(x, low, high) in &band.data {
                    let row = Row { low: Some(low), high: Some(high), ..Row::default() };
                    write(Row { series: &band.name, kind: "band", x: panel.x.word(x), ..row });
                }
            }
            Element::Bars(bars) => bars_of(panel, bars, &mut write),
            Element::Spot(spot) => {
                let x = panel.x.word(spot.at.x);
                let y = y(false, spot.at.y);
                let low = spot.error.1.map(|e| spot.at.y - e);
                let high = spot.error.1.map(|e| spot.at.y + e);
                let remark = remark(&spot.at);
                write(Row { series: &spot.name, kind: "point", x, y, low, high, remark });
            }
            Element::Guide(guide) if guide.listed => {
                let series = guide.label.as_deref().unwrap_or_default();
                let (x, y) = if guide.vertical {
                    (panel.x.word(guide.at), String::new())
                } else {
                    (String::new(), y(guide.right, guide.at))
                };
                write(Row { series, kind: "guide", x, y, ..Row::default() });
            }
            Element::Guide(_) | Element::Region(_) | Element::Callout(_) | Element::Key(_) => {}
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

fn bars_of<'a>(panel: &Panel, bars: &'a Bars, write: &mut impl FnMut(Row<'a>)) {
    for bar in &bars.bars {
        let x = panel.x.word(bar.x);
        let remark = if bar.y.is_nan() { bar.value.as_deref().unwrap_or_default() } else { "" };
        let row = Row { series: &bars.name, x: x.clone(), remark, ..Row::default() };
        write(if bar.base == 0.0 {
            let low = bar.error.map(|e| bar.y - e);
            let high = bar.error.map(|e| bar.y + e);
            Row { kind: "bar", y: panel.y.word(bar.y), low, high, ..row }
        } else {
            Row { kind: "range", low: Some(bar.base), high: Some(bar.y), ..row }
        });
        for (_, point) in &bar.points {
            let y = panel.y.word(*point);
            write(Row { series: &bars.name, kind: "value", x: x.clone(), y, ..Row::default() });
        }
    }
}

fn push(out: &mut String, panel: &str, row: &Row<'_>) {
    let number = |v: Option<f64>| v.filter(|v| !v.is_nan()).map_or_else(String::new, |v| v.to_string());
    let cells = [
        quoted(panel),
        quoted(row.series),
        row.kind.to_owned(),
        quoted(&row.x),
        quoted(&row.y),
        number(row.low),
        number(row.high),
        quoted(row.remark),
    ];
    let _ = writeln!(out, "{}", cells.join(","));
}

/// A CSV cell without line breaks.
fn quoted(text: &str) -> String {
    escape::csv(&text.replace(['\n', '\r'], " "))
}
