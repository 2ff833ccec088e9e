//! How far our value is from the published one, on one scale for all quantities: [`HOLDS`] is where agreement ends.

use super::lines::{Known, mean};
use crate::published::Printed;
use protocol::statistics;

/// The largest deviation that still holds: so many spreads, or epochs.
pub(super) const HOLDS: f64 = 2.0;

/// Our mean minus the published value, in units of the published spread, or of ours if none was published; norms by their
/// logarithms. A rough value deviates by [`HOLDS`] where it is off by a factor of 2, and so does a range where it ends.
pub(super) fn deviation(ours: &[f64], known: &Known) -> Option<f64> {
    if let Known::Words(_, deviation) = known {
        return *deviation;
    }
    let mean = mean(ours)?;
    let spread = |values: &[f64]| statistics(values.iter().copied()).and_then(|found| found.sd);
    match known {
        Known::Nothing | Known::Words(..) => None,
        Known::Value(value) => {
            let sd = value.sd.or_else(|| spread(ours))?;
            Some(in_units(mean - value.text.unwrap_or(value.mean), sd))
        }
        Known::Norms(values) => {
            let logs = |values: &[f64]| values.iter().map(|x| x.log10()).collect::<Vec<f64>>();
            let sd = spread(&logs(values)).or_else(|| spread(&logs(ours)))?;
            Some(in_units((geometric_mean(ours) / geometric_mean(values)).log10(), sd))
        }
        Known::Printed(printed) => Some(from_printed(geometric_mean(ours), printed)),
    }
}

/// A difference in units of a spread, which may be 0.
fn in_units(difference: f64, sd: f64) -> f64 {
    if difference == 0.0 { 0.0 } else { difference / sd }
}

fn from_printed(x: f64, printed: &Printed) -> f64 {
    let doublings = |end: f64| HOLDS * (x / end).log2();
    match (printed.low, printed.high) {
        (Some(low), Some(high)) if low == high => doublings(low),
        (Some(low), _) if x < low => doublings(low) - HOLDS,
        (_, Some(high)) if x > high => doublings(high) + HOLDS,
        _ => 0.0,
    }
}

/// Of epochs in order of size the largest difference: our seeds draw other numbers than the paper's. `None` stands for never.
pub(super) fn of_epochs(ours: &[Option<u64>], published: &[u64]) -> f64 {
    let mut ours: Vec<f64> = ours.iter().map(|epoch| epoch.map_or(f64::INFINITY, |e| e as f64)).collect();
    let mut published: Vec<f64> = published.iter().map(|&epoch| epoch as f64).collect();
    ours.sort_by(f64::total_cmp);
    published.sort_by(f64::total_cmp);
    let differences = ours.iter().zip(&published).map(|(ours, published)| ours - published);
    differences.max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(f64::INFINITY)
}

/// exp of the mean logarithm; NaN of nothing.
pub(super) fn geometric_mean(values: &[f64]) -> f64 {
    protocol::geometric_mean(values).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::Value;

    #[test]
    fn a_deviation_is_in_units_of_the_spread() {
        let known = |sd| Known::Value(Value { mean: 0.3, sd, text: None });
        assert!((deviation(&[0.25], &known(Some(0.02))).unwrap() + 2.5).abs() < 1e-12);
        // Ours, .02 apart, has a spread of .02/√2.
        assert!((deviation(&[0.31, 0.33], &known(None)).unwrap() - 2f64.sqrt()).abs() < 1e-9);
        assert_eq!(deviation(&[0.3, 0.3], &known(None)), Some(0.0));
        assert_eq!(deviation(&[0.31, 0.31], &known(None)), Some(f64::INFINITY));
        assert_eq!(deviation(&[0.31], &known(None)), None);
        assert_eq!(deviation(&[], &known(Some(0.1))), None);
    }

    #[test]
    fn rough_values_and_ranges_end_where_they_stop_to_hold() {
        let of = |x: f64, low, high| {
            deviation(&[x], &Known::Printed(Printed { text: String::new(), low, high })).unwrap()
        };
        assert_eq!([of(200.0, Some(100.0), Some(100.0)), of(25.0, Some(100.0), Some(100.0))], [2.0, -4.0]);
        assert_eq!([of(5.0, Some(4.0), Some(8.0)), of(16.0, Some(4.0), Some(8.0))], [0.0, 4.0]);
        assert_eq!([of(1.0, Some(4.0), Some(8.0)), of(1.0, None, Some(8.0))], [-6.0, 0.0]);
    }

    #[test]
    fn epochs_are_compared_in_order_of_size() {
        assert_eq!(of_epochs(&[Some(9), Some(8), Some(7)], &[8, 11, 8]), -2.0);
        assert_eq!(of_epochs(&[Some(3), Some(3), Some(4)], &[8, 11, 8]), -7.0);
        assert_eq!(of_epochs(&[Some(8), None, Some(8)], &[8, 11, 8]), f64::INFINITY);
    }
}
