//! The results before they are printed: a section has rows, a row has sides, and the first side is ours.

use crate::sample::{Ratio, Sample};
use serde_json::{Map, Value, json};

/// A table of the comparison.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its name on the command line and in the JSON file.
    pub name: &'static str,
    /// What was measured, in one line.
    pub title: String,
    /// Unit of every number.
    pub unit: &'static str,
    /// Rows; none if nothing was measured.
    pub rows: Vec<Row>,
    /// Remarks on the numbers, or why there are none.
    pub notes: Vec<String>,
}

/// One case.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub case: String,
    /// Ours first, then the others.
    pub sides: Vec<Side>,
    /// The share of the processor's peak that ours reaches at best, if known.
    pub share: Option<f64>,
}

/// One way of doing it.
#[derive(Clone, Debug)]
pub struct Side {
    /// Its name.
    pub name: String,
    /// What it took, or why it was not measured.
    pub sample: Result<Sample, String>,
}

impl Section {
    /// A section without measurements.
    pub fn skipped(name: &'static str, title: &str, why: &str) -> Self {
        let notes = vec![format!("Not measured: {why}.")];
        Self { name, title: title.to_owned(), unit: "", rows: Vec::new(), notes }
    }

    /// The section as JSON.
    pub fn to_json(&self) -> Value {
        let rows: Vec<Value> = self.rows.iter().map(Row::to_json).collect();
        json!({ "title": self.title, "unit": self.unit, "rows": rows, "notes": self.notes })
    }
}

impl Row {
    /// How many times more each of the others takes than ours, in their order.
    pub fn ratios(&self) -> Vec<Option<Ratio>> {
        let Some((ours, others)) = self.sides.split_first() else { return Vec::new() };
        let ratio = |side: &Side| Some(side.sample.as_ref().ok()?.over(ours.sample.as_ref().ok()?));
        others.iter().map(ratio).collect()
    }

    /// The smallest ratios, against the best of the others, by best and by median.
    pub fn least(&self) -> Option<Ratio> {
        self.ratios()
            .into_iter()
            .flatten()
            .reduce(|a, b| Ratio { best: a.best.min(b.best), median: a.median.min(b.median) })
    }

    fn to_json(&self) -> Value {
        let mut sides = Map::new();
        for (index, side) in self.sides.iter().enumerate() {
            let mut entry = match &side.sample {
                Ok(sample) => json!({
                    "best": round(sample.best()),
                    "median": round(sample.median()),
                    "spread": sample.spread().map(|(low, high)| [round(low), round(high)]),
                    "values": sample.values().iter().map(|&value| round(value)).collect::<Vec<_>>(),
                }),
                Err(why) => json!({ "not_measured": why }),
            };
            if let Some(ratio) = index.checked_sub(1).and_then(|other| self.ratios()[other]) {
                entry["over_ours"] = json!({ "best": round(ratio.best), "median": round(ratio.median) });
            }
            sides.insert(side.name.clone(), entry);
        }
        let least =
            self.least().map(|ratio| json!({ "best": round(ratio.best), "median": round(ratio.median) }));
        json!({ "case": self.case, "sides": sides, "least_over_ours": least, "share_of_peak": self.share.map(round) })
    }
}

/// Five digits, more than the measurements have.
fn round(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(name: &str, values: &[f64]) -> Side {
        Side {
            name: name.to_owned(),
            sample: Sample::of(values.to_vec()).ok_or_else(|| "no value".to_owned()),
        }
    }

    #[test]
    fn the_least_ratio_is_against_the_best_of_the_others_by_each_measure() {
        let sides =
            vec![side("ours", &[1.0, 2.0]), side("a", &[2.0, 8.0]), side("b", &[3.0, 4.0]), side("c", &[])];
        let row = Row { case: "x".to_owned(), sides, share: None };
        // Medians: ours 1.5, a 5, b 3.5.
        assert_eq!(row.least(), Some(Ratio { best: 2.0, median: 3.5 / 1.5 }));
        assert_eq!(row.ratios()[2], None, "what was not measured is compared with nothing");
        assert_eq!(row.to_json()["sides"]["c"]["not_measured"], "no value");
    }

    #[test]
    fn numbers_are_written_with_five_digits() {
        assert_eq!(round(12.345_678), 12.346);
        assert_eq!(round(0.000_123_456_7), 0.000_123_46);
    }
}
