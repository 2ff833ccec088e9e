//! Our side: the table beside a figure, read back.

use figures::catalogue::{Drawing, FIGURES, Request};
use figures::plot::{Bar, Element};
use paper::published::for_figures;
use std::collections::BTreeMap;
use std::path::Path;

/// A row; cells without a number are NaN.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) panel: String,
    pub(crate) series: String,
    pub(crate) kind: String,
    pub(crate) x: String,
    pub(crate) y: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

pub(crate) struct Ours {
    pub(crate) rows: Vec<Row>,
    drawing: Drawing,
}

/// A figure of the files in a tree; of nothing but published values without one.
pub(crate) fn ours(name: &str, tree: Option<&Path>) -> Ours {
    let records = tree.map(|tree| paper::records(&[tree.join("results")]).unwrap()).unwrap_or_default();
    let request = Request { records, published: tree.is_none().then(for_figures), ..Request::default() };
    let mut all = paper::FIGURES.iter().chain(&FIGURES);
    let drawing = (all.find(|entry| entry.name == name).unwrap().draw)(&request).unwrap();
    let table = drawing.figure.table(&[]);
    Ours { rows: table.lines().skip(1).map(row).collect(), drawing }
}

impl Ours {
    pub(crate) fn of_kind(&self, panel: &str, kind: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.panel == panel && row.kind == kind)
    }

    /// The lines of a panel by name, or of all panels.
    pub(crate) fn lines(&self, panel: Option<&str>) -> BTreeMap<(String, String), Vec<(f64, f64)>> {
        let mut lines: BTreeMap<_, Vec<(f64, f64)>> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| row.kind == "line") {
            if panel.is_none_or(|panel| panel == row.panel) {
                let name = (row.panel.clone(), row.series.clone());
                lines.entry(name).or_default().push((row.x.parse().unwrap(), row.y));
            }
        }
        lines
    }

    /// The bar of that name, as it is drawn.
    pub(crate) fn bar(&self, series: &str) -> &Bar {
        let elements = self.drawing.figure.panels.iter().flat_map(|panel| &panel.elements);
        let mut bars = elements.filter_map(|element| match element {
            Element::Bars(bars) if bars.name == series => bars.bars.first(),
            _ => None,
        });
        bars.next().unwrap_or_else(|| panic!("no bar {series}"))
    }
}

fn row(line: &str) -> Row {
    let cells = cells(line);
    let number = |i: usize| cells[i].parse().unwrap_or(f64::NAN);
    Row {
        panel: cells[0].clone(),
        series: cells[1].clone(),
        kind: cells[2].clone(),
        x: cells[3].clone(),
        y: number(4),
        low: number(5),
        high: number(6),
    }
}

/// The cells of a line, as RFC 4180 has them.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cells.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

#[test]
fn cells_are_read_back() {
    assert_eq!(cells(r#"a,"b,""c""",,d"#), ["a", "b,\"c\"", "", "d"]);
}
