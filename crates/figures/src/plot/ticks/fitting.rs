//! As many ticks as fit an axis.

use super::powers::{log, signed_log};
use crate::plot::axis::{Axis, AxisKind};
use crate::plot::scale::{Scale, Spacing};

#[derive(Clone, Debug, PartialEq)]
pub(in crate::plot) struct Tick {
    pub(in crate::plot) value: f64,
    /// As label source.
    pub(in crate::plot) text: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::plot) struct Ticks {
    /// Labelled.
    pub(in crate::plot) major: Vec<Tick>,
    pub(in crate::plot) minor: Vec<f64>,
}

impl Ticks {
    /// The finest division of an axis whose labelled ticks `fits` accepts.
    ///
    /// `unit` is the length on the page of a unit of the scale: a decade on a logarithmic axis.
    pub(in crate::plot) fn fitting(
        axis: &Axis,
        scale: &Scale,
        most: usize,
        unit: f64,
        fits: impl Fn(&[Tick]) -> bool,
    ) -> Self {
        if let Some(given) = &axis.ticks {
            let major = given.iter().map(|(value, text)| Tick { value: *value, text: text.clone() });
            return Self { major: major.filter(|t| is_within(scale, t.value)).collect(), minor: Vec::new() };
        }
        if let AxisKind::Categories(names) = &axis.kind {
            let tick = |(i, name): (usize, &String)| Tick { value: i as f64, text: name.clone() };
            return Self { major: names.iter().enumerate().map(tick).collect(), minor: Vec::new() };
        }
        let most = most.clamp(2, 12);
        let by_powers = |divided: &dyn Fn(usize) -> Self| {
            (2..=most).rev().map(divided).find(|ticks| fits(&ticks.major)).unwrap_or_else(|| divided(1))
        };
        match scale.spacing {
            Spacing::Log => return by_powers(&|count| log(scale, count, unit)),
            Spacing::Signed(least) => return by_powers(&|count| signed_log(scale, least, count)),
            Spacing::Even => {}
        }
        // The finest step whose labels have room.
        let steps = steps(scale.span() / most as f64, axis.whole);
        let mut ticks = Self::default();
        for step in steps {
            ticks = linear(axis, scale, step);
            if ticks.major.len() <= most + 1 && fits(&ticks.major) {
                break;
            }
        }
        ticks
    }
}

/// 1, 2 and 5 times powers of ten, from about half of `least`; no fractions if `whole`.
pub(super) fn steps(least: f64, whole: bool) -> impl Iterator<Item = f64> {
    let power = (least / 2.0).log10().floor() as i32;
    let all = (power..power + 4).flat_map(|power| [1.0, 2.0, 5.0].map(|m| m * ten(power)));
    all.filter(move |step| *step >= least / 2.0 && (!whole || *step >= 1.0))
}

pub(super) fn is_within(scale: &Scale, value: f64) -> bool {
    scale.share(value).is_some_and(|share| (-1e-9..=1.0 + 1e-9).contains(&share))
}

/// Multiples of a step.
pub(super) fn linear(axis: &Axis, scale: &Scale, step: f64) -> Ticks {
    let first = (scale.low / step - 1e-9).ceil();
    let last = (scale.high / step + 1e-9).floor();
    let values: Vec<f64> = (0..=(last - first).max(-1.0) as i64).map(|i| (first + i as f64) * step).collect();
    let values = if last < first { Vec::new() } else { values };
    let largest = values.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let text = |value: f64| number(value, step, largest, axis.percent);
    let major: Vec<Tick> = values.iter().map(|&value| Tick { value, text: text(value) }).collect();
    Ticks { major, minor: Vec::new() }
}

/// A tick's number, with as many digits as its step needs.
fn number(value: f64, step: f64, largest: f64, percent: bool) -> String {
    let [value, step, largest] = [value, step, largest].map(|v| if percent { 100.0 * v } else { v });
    let digits = |step: f64| (0..12).find(|d| is_whole(step * ten(*d))).unwrap_or(12) as usize;
    if largest >= 1e5 || (largest > 0.0 && largest < 1e-3) {
        let power = largest.log10().floor() as i32;
        let scaled = signed(value / ten(power), digits(step / ten(power)));
        return if value == 0.0 { "0".to_owned() } else { format!("${scaled}\\times10^{{{power}}}$") };
    }
    let sign = if percent { "%" } else { "" };
    let plain = signed(value, digits(step)).replace('-', "−");
    format!("{plain}{sign}")
}

/// With this many decimals, and no minus before a zero.
fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

fn is_whole(v: f64) -> bool {
    (v - v.round()).abs() < 1e-6
}

pub(super) fn ten(power: i32) -> f64 {
    // `powi` with a negative power accumulates rounding errors; a division rounds once.
    if power < 0 { 1.0 / 10f64.powi(-power) } else { 10f64.powi(power) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis, low: f64, high: f64, most: usize) -> Vec<String> {
        let scale = Scale { low, high, ..Scale::of(axis, [1.0]) };
        Ticks::fitting(axis, &scale, most, 20.0, |_| true).major.into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn round_numbers_with_the_digits_they_need() {
        let plain = Axis::linear("");
        assert_eq!(texts(&plain, -0.25, 1.12, 7), ["−0.2", "0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(&plain, 0.0, 100.0, 5), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(texts(&plain, 0.301, 0.339, 4), ["0.31", "0.32", "0.33"]);
        assert_eq!(texts(&plain, 0.0, 4e5, 2), ["0", "$2\\times10^{5}$", "$4\\times10^{5}$"]);
        assert_eq!(texts(&plain.clone().in_percent(), 0.0, 0.6, 3), ["0%", "20%", "40%", "60%"]);
    }

    #[test]
    fn epochs_are_whole() {
        assert_eq!(texts(&Axis::epochs(), 0.9, 3.1, 10), ["1", "2", "3"]);
    }

    #[test]
    fn decades_are_thinned_on_even_powers() {
        let log = Axis::log("");
        assert_eq!(
            texts(&log, 1e-12, 5e-2, 6),
            ["$10^{-12}$", "$10^{-10}$", "$10^{-8}$", "$10^{-6}$", "$10^{-4}$", "$10^{-2}$"]
        );
        assert_eq!(texts(&log, 120.0, 900.0, 5), ["200", "300", "400", "600", "800"]);
        assert_eq!(texts(&log, 120.0, 900.0, 3), ["200", "500"]);
        assert_eq!(
            texts(&log, 3e-5, 9e-5, 6),
            ["$3\\times10^{-5}$", "$4\\times10^{-5}$", "$6\\times10^{-5}$", "$8\\times10^{-5}$"]
        );
    }

    #[test]
    fn powers_to_both_sides_of_zero() {
        let axis = Axis::signed("", 1e-6);
        let all = ["$-10^{-2}$", "$-10^{-3}$", "$-10^{-4}$", "$-10^{-5}$", "0", "$10^{-5}$", "$10^{-4}$"];
        assert_eq!(texts(&axis, -2e-2, 3e-4, 12), all);
        assert_eq!(texts(&axis, -2e-2, 3e-4, 5), ["$-10^{-2}$", "$-10^{-4}$", "0", "$10^{-4}$"]);
    }

    #[test]
    fn every_axis_has_at_least_one_label() {
        for i in 0..200 {
            let low = 10f64.powf(f64::from(i) / 13.0 - 8.0);
            for factor in [1.001, 1.1, 1.9, 5.0, 30.0, 1e4] {
                let high = low * factor;
                for axis in [Axis::linear(""), Axis::log(""), Axis::signed("", 1e-9)] {
                    let found = texts(&axis, low, high, 5);
                    assert!((1..=13).contains(&found.len()), "{axis:?} from {low} to {high}: {found:?}");
                }
                let axis = Axis::signed("", 1e-4 * high);
                for (low, high) in [(-high, -low), (-high, 0.0), (-low, high), (-high, low)] {
                    let found = texts(&axis, low, high, 5);
                    assert!((1..=13).contains(&found.len()), "from {low} to {high}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn minor_ticks_are_between_the_labelled_ones() {
        let scale = Scale { spacing: Spacing::Log, low: 1.0, high: 100.0 };
        let ticks = Ticks::fitting(&Axis::log(""), &scale, 5, 20.0, |_| true);
        assert_eq!(ticks.minor.len(), 16);
        assert!(ticks.minor.iter().all(|v| ![1.0, 10.0, 100.0].contains(v)));
    }
}
