//! Tidy tables: one row per number of a log, from which any other table can be made.
//!
//! A run is described by its name, rule, seed, network and every key in which the runs differ. `gradient` is of each sample's
//! own loss, `gradient_n128` of a mean over 128. `layer` counts from the embedding, which is 0; it is empty for what is no
//! matter of a layer.

mod csv;
mod jsonl;

use crate::Named;
use crate::point::{Of, Point, points};
use record::{Epoch, Measured, Unit};
use toml::Value;

/// Runs as a table.
#[derive(Clone, Debug)]
pub struct Tidy<'a> {
    runs: &'a [Named<'a>],
    keys: Vec<&'a str>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
enum Cell<'a> {
    Empty,
    Text(String),
    Whole(u64),
    Number(f64),
    Key(&'a Value),
}

/// Keys that have columns of their own, or none for being a name.
const ELSEWHERE: [&str; 4] = ["name", "rule.name", "seed", "net.name"];

impl<'a> Tidy<'a> {
    /// A table of these runs, with columns for the keys in which they differ.
    pub fn new(runs: &'a [Named<'a>], differing: Vec<&'a str>) -> Self {
        let keys = differing.into_iter().filter(|key| !ELSEWHERE.contains(key)).collect();
        Self { runs, keys }
    }

    /// In the form of RFC 4180.
    pub fn csv(&self) -> String {
        csv::text(self)
    }

    /// As one JSON object per line.
    pub fn jsonl(&self) -> String {
        jsonl::text(self)
    }

    fn columns(&self) -> Vec<&'a str> {
        let before = ["run", "rule", "seed", "network"];
        let after = ["epoch", "layer", "unit", "series", "value", "state", "why", "samples"];
        before.into_iter().chain(self.keys.iter().copied()).chain(after).collect()
    }

    fn each_row(&self, mut row: impl FnMut(&[Cell<'a>])) {
        for named in self.runs {
            let start = self.start(named);
            for epoch in &named.run.epochs {
                for point in points(epoch) {
                    let mut cells = start.clone();
                    cells.extend(end(epoch, &point));
                    row(&cells);
                }
            }
        }
    }

    fn start(&self, named: &Named<'a>) -> Vec<Cell<'a>> {
        let run = named.run;
        let of_run = [
            Cell::Text(named.name.clone()),
            Cell::Text(run.record.rule.clone()),
            Cell::Whole(run.record.provenance.seed),
            Cell::Text(run.record.network.name.clone()),
        ];
        let key = |key: &&str| run.key(key).map_or(Cell::Empty, Cell::Key);
        of_run.into_iter().chain(self.keys.iter().map(key)).collect()
    }
}

fn end(epoch: &Epoch, point: &Point<'_>) -> [Cell<'static>; 8] {
    let layer = match point.of {
        Of::Layer(layer) => Some(layer),
        Of::Split(_) | Of::Network => None,
    };
    let whole = |n: Option<u64>| n.map_or(Cell::Empty, Cell::Whole);
    [
        Cell::Whole(epoch.epoch),
        whole(layer.map(|layer| layer as u64)),
        layer.map_or(Cell::Empty, |layer| Cell::Text(Unit::at(layer).to_string())),
        Cell::Text(point.series()),
        point.value.value().map_or(Cell::Empty, Cell::Number),
        Cell::Text(point.value.state().to_owned()),
        reason(point.value),
        whole(point.samples),
    ]
}

fn reason(value: Measured) -> Cell<'static> {
    value.why().map_or(Cell::Empty, |why| Cell::Text(why.words().to_owned()))
}
