//! One quantity of a study: ours, over seeds, and as published.

use figures::published::{Printed, Value};

/// What was published for it.
pub(super) enum Known {
    /// A mean, perhaps with its standard deviation over seeds.
    Value(Value),
    /// A rough value or a range, as printed.
    Printed(Printed),
    /// Words.
    Words(String),
    /// Nothing.
    Nothing,
}

/// A quantity.
pub(super) struct Line {
    pub(super) what: String,
    /// Runs that were found.
    pub(super) runs: usize,
    /// One value for each that has it.
    pub(super) ours: Vec<f64>,
    /// In words, for what is no number.
    pub(super) said: Option<String>,
    pub(super) known: Known,
}

/// A line as four cells: ours, published, difference, whether it lies within the stated spread.
pub(super) struct Cells {
    pub(super) ours: String,
    pub(super) published: String,
    pub(super) difference: String,
    pub(super) within: String,
}

impl Line {
    pub(super) fn cells(&self) -> Cells {
        let mean = mean(&self.ours);
        let ours = match (&self.said, self.ours.len()) {
            (Some(said), _) => said.clone(),
            (None, 0) if self.runs == 0 => "*not run*".to_owned(),
            (None, 0) => measured(&[]),
            (None, 1) => format!("{} (1 seed)", measured(&self.ours)),
            (None, n) => format!("{} ({n} seeds)", measured(&self.ours)),
        };
        let blank = String::new;
        match &self.known {
            Known::Nothing => Cells { ours, published: blank(), difference: blank(), within: blank() },
            Known::Words(words) => {
                Cells { ours, published: words.clone(), difference: blank(), within: blank() }
            }
            Known::Printed(printed) => {
                let within = mean.map_or_else(blank, |x| near(x, printed));
                Cells { ours, published: printed.text.clone(), difference: blank(), within }
            }
            Known::Value(value) => {
                // Where the later text corrects the figure, the text counts.
                let stated = value.text.unwrap_or(value.mean);
                let published = match value.sd {
                    Some(sd) => format!("{} ± {}", number(stated), number(sd)),
                    None => number(stated),
                };
                let difference = mean.map_or_else(blank, |x| format!("{:+.3}", x - stated));
                let within = match (mean, value.sd) {
                    (None, _) => blank(),
                    (Some(_), None) => "no spread stated".to_owned(),
                    (Some(x), Some(sd)) if (x - stated).abs() <= sd => "yes".to_owned(),
                    (Some(x), Some(sd)) => format!("no, {:.1} sd", (x - stated).abs() / sd),
                };
                Cells { ours, published, difference, within }
            }
        }
    }
}

pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Mean ± standard deviation (n−1), where there are two or more.
pub(super) fn measured(values: &[f64]) -> String {
    match (mean(values), values.len()) {
        (None, _) => "undefined".to_owned(),
        (Some(mean), 1) => number(mean),
        (Some(mean), n) => {
            let sd = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1) as f64).sqrt();
            format!("{} ± {}", number(mean), number(sd))
        }
    }
}

/// A share or cosine with three digits, anything very small or large as a power.
fn number(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        size if (1e-3..100.0).contains(&size) => format!("{x:.3}"),
        size if (5e-5..1e-3).contains(&size) => format!("{x:.4}"),
        _ => format!("{x:.1e}"),
    }
}

/// Where a value stands against a rough one or a range.
fn near(x: f64, printed: &Printed) -> String {
    match (printed.low, printed.high) {
        (Some(low), Some(high)) if low < high && (low..=high).contains(&x) => "yes".to_owned(),
        (None, Some(high)) if x <= high => "yes".to_owned(),
        (Some(low), Some(high)) if low == high => format!("× {:.1}", x / low),
        (Some(low), _) if x < low => format!("× {:.1} of its lower end", x / low),
        (_, Some(high)) => format!("× {:.1} of its upper end", x / high),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(ours: &[f64], known: Known) -> Cells {
        Line { what: String::new(), runs: ours.len(), ours: ours.to_vec(), said: None, known }.cells()
    }

    fn value(mean: f64, sd: Option<f64>, text: Option<f64>) -> Known {
        Known::Value(Value { mean, sd, text })
    }

    #[test]
    fn what_was_not_run_is_said_and_not_compared() {
        let cells = line(&[], value(0.3, Some(0.01), None));
        assert_eq!(
            (cells.ours.as_str(), cells.difference.as_str(), cells.within.as_str()),
            ("*not run*", "", "")
        );
        assert_eq!(cells.published, "0.300 ± 0.010");
    }

    #[test]
    fn a_mean_is_held_against_the_stated_spread() {
        let cells = line(&[0.30, 0.32], value(0.3, Some(0.02), None));
        assert_eq!((cells.difference.as_str(), cells.within.as_str()), ("+0.010", "yes"));
        assert_eq!(cells.ours, "0.310 ± 0.014 (2 seeds)");
        assert_eq!(line(&[0.35], value(0.3, Some(0.02), None)).within, "no, 2.5 sd");
        assert_eq!(line(&[0.35], value(0.3, None, None)).within, "no spread stated");
        // The later text counts, not the figure.
        assert_eq!(line(&[0.532], value(0.530, Some(0.007), Some(0.532))).difference, "+0.000");
    }

    #[test]
    fn rough_values_and_ranges() {
        let printed = |text: &str, low, high| Known::Printed(Printed { text: text.to_owned(), low, high });
        assert_eq!(line(&[4e3], printed("3–8e3", Some(3e3), Some(8e3))).within, "yes");
        assert_eq!(line(&[16e3], printed("3–8e3", Some(3e3), Some(8e3))).within, "× 2.0 of its upper end");
        assert_eq!(line(&[1e-9], printed("≤ 4e-9", None, Some(4e-9))).within, "yes");
        assert_eq!(line(&[2e5], printed("~1e5", Some(1e5), Some(1e5))).within, "× 2.0");
    }
}
