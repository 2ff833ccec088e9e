//! One quantity of a study: our value over seeds, and the published one.

use crate::published::{Printed, Value};
use protocol::{Statistics, statistics};

/// What was published for it.
pub(super) enum Known {
    Value(Value),
    /// A rough value or a range.
    Printed(Printed),
    Words(String),
    Nothing,
}

/// A row of the comparison.
pub(super) struct Line {
    pub(super) what: String,
    /// Runs that were found.
    pub(super) runs: usize,
    /// One value for each run that has it.
    pub(super) ours: Vec<f64>,
    /// How many of `ours` are unreliable.
    pub(super) unreliable: usize,
    /// Our result in words, if it is not a number.
    pub(super) said: Option<String>,
    pub(super) known: Known,
}

impl Line {
    /// A result in words on both sides.
    pub(super) fn said(what: String, runs: usize, said: String, published: String) -> Self {
        let known = Known::Words(published);
        Self { what, runs, ours: Vec::new(), unreliable: 0, said: Some(said), known }
    }

    /// Ours, published, the difference, and whether it is within the published spread.
    pub(super) fn cells(&self) -> [String; 4] {
        let mean = mean(&self.ours);
        let ours = match (&self.said, self.ours.len()) {
            (Some(said), _) => said.clone(),
            (None, 0) if self.runs == 0 => "*not run*".to_owned(),
            (None, 0) => measured(&[]),
            (None, n) => format!("{} ({})", measured(&self.ours), self.seeds(n)),
        };
        let blank = String::new;
        let (published, difference, within) = match &self.known {
            Known::Nothing => Default::default(),
            Known::Words(words) => (words.clone(), blank(), blank()),
            Known::Printed(printed) => {
                let (difference, within) = mean.map_or_else(Default::default, |x| near(x, printed));
                (printed.text.clone(), difference, within.to_owned())
            }
            Known::Value(value) => {
                // Where the paper's text corrects its figure, the text counts.
                let stated = value.text.unwrap_or(value.mean);
                let within = match (mean, value.sd) {
                    (None, _) => blank(),
                    (Some(_), None) => "no spread stated".to_owned(),
                    (Some(x), Some(sd)) if (x - stated).abs() <= sd => "yes".to_owned(),
                    (Some(x), Some(sd)) => format!("no, {:.1} sd", (x - stated).abs() / sd),
                };
                (words(value), mean.map_or_else(blank, |x| format!("{:+.3}", x - stated)), within)
            }
        };
        [ours, published, difference, within]
    }

    /// How many seeds a mean is over, and how many of them are unreliable.
    fn seeds(&self, n: usize) -> String {
        let plural = if n.max(self.runs) == 1 { "" } else { "s" };
        let of = if n < self.runs { format!(" of {}", self.runs) } else { String::new() };
        let doubt = match self.unreliable {
            0 => String::new(),
            all if all == n => ", unreliable".to_owned(),
            some => format!(", {some} unreliable"),
        };
        format!("{n}{of} seed{plural}{doubt}")
    }
}

/// A published value, with its spread if it has one.
pub(super) fn words(value: &Value) -> String {
    let stated = number(value.text.unwrap_or(value.mean));
    value.sd.map_or(stated.clone(), |sd| format!("{stated} ± {}", number(sd)))
}

pub(super) fn mean(values: &[f64]) -> Option<f64> {
    statistics(values.iter().copied()).map(|found| found.mean)
}

/// Mean ± standard deviation (n−1); the mean alone for a single value.
pub(super) fn measured(values: &[f64]) -> String {
    match statistics(values.iter().copied()) {
        None => "undefined".to_owned(),
        Some(Statistics { mean, sd: None, .. }) => number(mean),
        Some(Statistics { mean, sd: Some(sd), .. }) => {
            let size = mean.abs().max(sd);
            format!("{} ± {}", sized(mean, size), sized(sd, size))
        }
    }
}

fn number(x: f64) -> String {
    sized(x, x.abs())
}

/// Prints `x` with the precision that suits values of this size: three decimals for cosines and the like, scientific
/// notation for very small or large ones.
fn sized(x: f64, size: f64) -> String {
    match size {
        _ if x == 0.0 => "0".to_owned(),
        _ if (1e-3..100.0).contains(&size) && x.abs() < 1e-3 => format!("{x:.4}"),
        _ if (1e-3..100.0).contains(&size) => format!("{x:.3}"),
        _ if (100.0..1e4).contains(&size) => format!("{x:.0}"),
        _ => format!("{x:.1e}"),
    }
}

/// How a value differs from a rough one or a range, and whether it is within it.
fn near(x: f64, printed: &Printed) -> (String, &'static str) {
    let times = |end: f64| match x / end {
        factor if (0.1..100.0).contains(&factor) => format!("× {factor:.1}"),
        factor => format!("× {}", number(factor)),
    };
    match (printed.low, printed.high) {
        (Some(low), Some(high)) if low == high => (times(low), "a rough value"),
        (Some(low), _) if x < low => (format!("{} of its lower end", times(low)), "no"),
        (_, Some(high)) if x > high => (format!("{} of its upper end", times(high)), "no"),
        (None, None) => Default::default(),
        _ => (String::new(), "yes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(ours: &[f64], known: Known) -> [String; 4] {
        cells(ours.len(), ours, 0, known)
    }

    fn cells(runs: usize, ours: &[f64], unreliable: usize, known: Known) -> [String; 4] {
        Line { what: String::new(), runs, ours: ours.to_vec(), unreliable, said: None, known }.cells()
    }

    fn value(mean: f64, sd: Option<f64>, text: Option<f64>) -> Known {
        Known::Value(Value { mean, sd, text })
    }

    #[test]
    fn what_was_not_run_is_said_and_not_compared() {
        assert_eq!(line(&[], value(0.3, Some(0.01), None)), ["*not run*", "0.300 ± 0.010", "", ""]);
    }

    #[test]
    fn a_mean_is_compared_with_the_stated_spread() {
        let cells = line(&[0.30, 0.32], value(0.3, Some(0.02), None));
        assert_eq!(cells, ["0.310 ± 0.014 (2 seeds)", "0.300 ± 0.020", "+0.010", "yes"]);
        assert_eq!(line(&[0.35], value(0.3, Some(0.02), None))[3], "no, 2.5 sd");
        assert_eq!(line(&[0.35], value(0.3, None, None))[3], "no spread stated");
        // The paper's text counts, not its figure.
        assert_eq!(line(&[0.532], value(0.530, Some(0.007), Some(0.532)))[2], "+0.000");
    }

    #[test]
    fn missing_and_unreliable_seeds_are_counted() {
        let ours = |runs, ours: &[f64], unreliable| cells(runs, ours, unreliable, Known::Nothing)[0].clone();
        assert_eq!(ours(3, &[0.3, 0.3], 0), "0.300 ± 0 (2 of 3 seeds)");
        assert_eq!(ours(1, &[0.3], 1), "0.300 (1 seed, unreliable)");
        assert_eq!(ours(3, &[0.3, 0.3, 0.3], 2), "0.300 ± 0 (3 seeds, 2 unreliable)");
    }

    #[test]
    fn rough_values_and_ranges() {
        let printed = |text: &str, low, high| Known::Printed(Printed { text: text.to_owned(), low, high });
        let of = |ours: f64, known: Known| {
            let [_, _, difference, within] = line(&[ours], known);
            (difference, within)
        };
        let said = |difference: &str, within: &str| (difference.to_owned(), within.to_owned());
        assert_eq!(of(4e3, printed("3–8e3", Some(3e3), Some(8e3))), said("", "yes"));
        assert_eq!(of(16e3, printed("3–8e3", Some(3e3), Some(8e3))), said("× 2.0 of its upper end", "no"));
        assert_eq!(of(1.5e3, printed("3–8e3", Some(3e3), Some(8e3))), said("× 0.5 of its lower end", "no"));
        assert_eq!(of(3.0, printed("3–8e3", Some(3e3), Some(8e3))), said("× 0.001 of its lower end", "no"));
        assert_eq!(of(0.3, printed("3–8e3", Some(3e3), Some(8e3))), said("× 1.0e-4 of its lower end", "no"));
        assert_eq!(of(2e7, printed("~1e5", Some(1e5), Some(1e5))), said("× 200", "a rough value"));
        assert_eq!(of(1e-9, printed("≤ 4e-9", None, Some(4e-9))), said("", "yes"));
        assert_eq!(of(8e-9, printed("≤ 4e-9", None, Some(4e-9))), said("× 2.0 of its upper end", "no"));
        assert_eq!(of(2e5, printed("~1e5", Some(1e5), Some(1e5))), said("× 2.0", "a rough value"));
    }

    #[test]
    fn mean_and_spread_are_written_alike() {
        assert_eq!(measured(&[202.0, 204.0]), "203 ± 1");
        assert_eq!(measured(&[3.3e-4, 3.5e-4]), "3.4e-4 ± 1.4e-5");
        assert_eq!(measured(&[0.36, 0.3608]), "0.360 ± 0.0006");
        assert_eq!(measured(&[-0.02, 0.0204]), "0.0002 ± 0.029");
    }
}
