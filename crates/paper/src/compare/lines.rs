//! One quantity of a study: our value over seeds, and the published one.

use super::deviation::{HOLDS, deviation, geometric_mean};
use crate::published::{Printed, Value};
use protocol::{Statistics, statistics};

/// What kind of quantity it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Accuracy,
    /// ‖h_L‖ and growth.
    State,
    Gradient,
    Cosine,
    Rho,
    /// First epochs and verdicts.
    Checks,
}

/// What was published for it.
pub(super) enum Known {
    Value(Value),
    /// A rough value or a range.
    Printed(Printed),
    /// Norms, one per seed: compared by their logarithms.
    Norms(Vec<f64>),
    /// Words, and how far ours are from them, as [`deviation`] has it; `None` if they were not compared.
    Words(String, Option<f64>),
    Nothing,
}

/// A row of the comparison.
pub(super) struct Line {
    pub(super) kind: Kind,
    pub(super) rule: String,
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
    pub(super) fn said(
        (kind, rule): (Kind, &str),
        what: String,
        runs: usize,
        said: String,
        published: String,
        deviation: Option<f64>,
    ) -> Self {
        let known = Known::Words(published, deviation.filter(|_| runs > 0));
        let rule = rule.to_owned();
        Self { kind, rule, what, runs, ours: Vec::new(), unreliable: 0, said: Some(said), known }
    }

    /// Ours with the number of seeds, published, and the difference: in units of the published spread where one is stated.
    pub(super) fn cells(&self) -> [String; 3] {
        let ours = match (&self.said, self.ours.len()) {
            (Some(said), _) => said.clone(),
            (None, 0) if self.runs == 0 => "*not run*".to_owned(),
            (None, n) if n < self.runs => format!("{} ({n} of {})", measured(&self.ours), self.runs),
            (None, n) => format!("{} ({n})", measured(&self.ours)),
        };
        let mean = mean(&self.ours);
        let (published, difference) = match &self.known {
            Known::Nothing => Default::default(),
            Known::Words(words, _) => (words.clone(), None),
            Known::Norms(values) => {
                let middle = geometric_mean(values);
                let near = |x: f64| times(x, middle);
                (measured(values), Some(geometric_mean(&self.ours)).filter(|x| x.is_finite()).map(near))
            }
            Known::Printed(printed) => (printed.text.clone(), mean.map(|x| near(x, printed))),
            Known::Value(value) => {
                // Where the paper's text corrects its figure, the text counts.
                let stated = value.text.unwrap_or(value.mean);
                let difference = |x: f64| {
                    let spreads = |sd: f64| format!(", {:.1} sd", (x - stated).abs() / sd);
                    format!("{:+.3}{}", x - stated, value.sd.map_or_else(String::new, spreads))
                };
                (words(value), mean.map(difference))
            }
        };
        let difference = match self.unreliable {
            0 => difference.unwrap_or_default(),
            all if all == self.ours.len() => "unreliable".to_owned(),
            some => format!("{}, {some} unreliable", difference.unwrap_or_default()),
        };
        let mark = match self.holds() {
            Some(true) => "✓ ",
            Some(false) => "✗ ",
            None => "",
        };
        [ours, published, format!("{mark}{difference}").trim_end().to_owned()]
    }

    /// How far ours is from the published value; `None` if there is nothing to compare, or no spread.
    pub(super) fn deviation(&self) -> Option<f64> {
        deviation(&self.ours, &self.known)
    }

    /// Whether ours agrees with the published value.
    pub(super) fn holds(&self) -> Option<bool> {
        self.deviation().map(|deviation| deviation.abs() <= HOLDS)
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

/// A value as a multiple of another.
fn times(x: f64, other: f64) -> String {
    match x / other {
        factor if (0.1..100.0).contains(&factor) => format!("× {factor:.1}"),
        factor => format!("× {}", number(factor)),
    }
}

/// How a value differs from a rough one, or from the nearer end of a range.
fn near(x: f64, printed: &Printed) -> String {
    match (printed.low, printed.high) {
        (Some(low), Some(high)) if low == high => times(x, low),
        (Some(low), _) if x < low => format!("{}, below", times(x, low)),
        (_, Some(high)) if x > high => format!("{}, above", times(x, high)),
        (None, None) => String::new(),
        _ => "within".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(ours: &[f64], known: Known) -> [String; 3] {
        cells(ours.len(), ours, 0, known)
    }

    fn cells(runs: usize, ours: &[f64], unreliable: usize, known: Known) -> [String; 3] {
        let (kind, rule) = (Kind::Accuracy, "dfa".to_owned());
        Line { kind, rule, what: String::new(), runs, ours: ours.to_vec(), unreliable, said: None, known }
            .cells()
    }

    fn value(mean: f64, sd: Option<f64>, text: Option<f64>) -> Known {
        Known::Value(Value { mean, sd, text })
    }

    #[test]
    fn what_was_not_run_is_said_and_not_compared() {
        assert_eq!(line(&[], value(0.3, Some(0.01), None)), ["*not run*", "0.300 ± 0.010", ""]);
        assert_eq!(cells(2, &[], 0, Known::Nothing)[0], "undefined (0 of 2)");
    }

    #[test]
    fn a_mean_is_compared_with_the_stated_spread() {
        let cells = line(&[0.30, 0.32], value(0.3, Some(0.02), None));
        assert_eq!(cells, ["0.310 ± 0.014 (2)", "0.300 ± 0.020", "✓ +0.010, 0.5 sd"]);
        assert_eq!(line(&[0.25], value(0.3, Some(0.02), None))[2], "✗ -0.050, 2.5 sd");
        assert_eq!(line(&[0.35], value(0.3, None, None))[2], "+0.050");
        // The paper's text counts, not its figure.
        assert_eq!(line(&[0.532], value(0.530, Some(0.007), Some(0.532)))[2], "✓ +0.000, 0.0 sd");
    }

    #[test]
    fn missing_and_unreliable_seeds_are_counted() {
        let known = || value(0.2, None, None);
        assert_eq!(cells(3, &[0.3, 0.3], 0, Known::Nothing)[0], "0.300 ± 0 (2 of 3)");
        assert_eq!(cells(1, &[0.3], 1, known()), ["0.300 (1)", "0.200", "unreliable"]);
        assert_eq!(cells(3, &[0.3, 0.3, 0.3], 2, known())[2], "✗ +0.100, 2 unreliable");
    }

    #[test]
    fn rough_values_and_ranges() {
        let of = |ours: f64, low, high| {
            line(&[ours], Known::Printed(Printed { text: String::new(), low, high }))[2].clone()
        };
        let range = |ours: f64| of(ours, Some(3e3), Some(8e3));
        assert_eq!(range(4e3), "✓ within");
        assert_eq!(range(16e3), "✗ × 2.0, above");
        assert_eq!(range(1.5e3), "✗ × 0.5, below");
        assert_eq!(range(3.0), "✗ × 0.001, below");
        assert_eq!(range(0.3), "✗ × 1.0e-4, below");
        assert_eq!(of(1e-9, None, Some(4e-9)), "✓ within");
        assert_eq!(of(8e-9, None, Some(4e-9)), "✗ × 2.0, above");
        assert_eq!(of(2e7, Some(1e5), Some(1e5)), "✗ × 200");
        assert_eq!(of(1.9e5, Some(1e5), Some(1e5)), "✓ × 1.9");
    }

    #[test]
    fn norms_are_compared_by_their_logarithms() {
        let published = || Known::Norms(vec![1e-6, 1e-7, 1e-8]);
        // Mean −7 and deviation 1 in powers of ten: two powers off holds, more does not.
        assert_eq!(line(&[1.1e-9], published())[2], "✓ × 0.011");
        assert_eq!(line(&[0.9e-9], published())[2], "✗ × 0.009");
        // Of one published value the spread is ours; of one on each side there is none.
        let ours = [1e-6, 1e-4];
        assert_eq!(line(&ours, Known::Norms(vec![1e-7]))[2], "✓ × 100");
        assert_eq!(line(&ours, Known::Norms(vec![1e-8]))[2], "✗ × 1000");
        assert_eq!(line(&[1e-5], Known::Norms(vec![1e-5]))[2], "× 1.0");
    }

    #[test]
    fn words_hold_where_they_were_compared() {
        let said = |deviation| {
            let what = (Kind::Checks, "dfa");
            let line = Line::said(what, String::new(), 3, "8, 9".to_owned(), "8, 11".to_owned(), deviation);
            line.cells()[2].clone()
        };
        assert_eq!([said(Some(-2.0)), said(Some(f64::INFINITY)), said(None)], ["✓", "✗", ""]);
    }

    #[test]
    fn mean_and_spread_are_written_alike() {
        assert_eq!(measured(&[202.0, 204.0]), "203 ± 1");
        assert_eq!(measured(&[3.3e-4, 3.5e-4]), "3.4e-4 ± 1.4e-5");
        assert_eq!(measured(&[0.36, 0.3608]), "0.360 ± 0.0006");
        assert_eq!(measured(&[-0.02, 0.0204]), "0.0002 ± 0.029");
    }
}
