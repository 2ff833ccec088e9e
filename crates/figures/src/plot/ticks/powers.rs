//! Ticks of logarithmic axes.

use super::fitting::{Tick, Ticks, is_within, linear, steps, ten};
use crate::plot::axis::Axis;
use crate::plot::scale::{Scale, Spacing};

/// A decade shorter than this on the page has no minor ticks.
const SHORT_DECADE: f64 = 11.0;

/// Powers of ten, at most `count`; on a short axis also multiples of them.
pub(super) fn log(scale: &Scale, count: usize, unit: f64) -> Ticks {
    let first = (scale.low.log10() - 1e-9).ceil() as i32;
    let last = (scale.high.log10() + 1e-9).floor() as i32;
    let decades = last - first + 1;
    let multiples = |sets: &[&[u8]], least: usize| -> Option<Vec<Tick>> {
        let all = |set: &[u8]| -> Vec<(u8, i32)> {
            let all: Vec<(u8, i32)> =
                (first - 1..=last + 1).flat_map(|power| set.iter().map(move |m| (*m, power))).collect();
            all.into_iter().filter(|(m, power)| is_within(scale, f64::from(*m) * ten(*power))).collect()
        };
        let found = sets.iter().map(|set| all(set)).find(|found| found.len() <= count)?;
        let plain = found.iter().all(|(_, power)| PLAIN.contains(power));
        let tick = |&(m, power): &(u8, i32)| Tick {
            value: f64::from(m) * ten(power),
            text: multiple(m, power, plain),
        };
        // Numbers before powers are too wide for more than a decade.
        (found.len() >= least && (plain || decades < 2)).then(|| found.iter().map(tick).collect())
    };
    // Two labels of powers are few for readers of values between them.
    let between = (decades == 2).then(|| multiples(&[&[1, 2, 5], &[1, 3]], 3)).flatten();
    let major: Vec<Tick> = if let Some(ticks) = between {
        ticks
    } else if decades >= 2 || (decades == 1 && count == 1) {
        let stride = ((decades as usize).div_ceil(count) as i32).max(1);
        (first..=last)
            .filter(|power| power.rem_euclid(stride) == 0)
            .map(|power| Tick { value: ten(power), text: format!("$10^{{{power}}}$") })
            .collect()
    } else {
        // A very short axis may contain none of these; it is then divided evenly.
        let few: [&[u8]; 4] = [&[1, 2, 3, 4, 6, 8], &[1, 2, 5], &[1, 3], &[1]];
        let Some(ticks) = multiples(&few, 2) else { return even(scale, count) };
        ticks
    };
    let minor_of = |power: i32| (1..10).map(move |m| f64::from(m) * ten(power));
    // In a short decade, grid lines would merge into grey.
    let minor: Vec<f64> = if unit < SHORT_DECADE {
        (first..=last).map(ten).collect()
    } else {
        (first - 1..=last).flat_map(minor_of).collect()
    };
    let is_major = |v: f64| major.iter().any(|tick| (tick.value / v - 1.0).abs() < 1e-9);
    let minor = minor.into_iter().filter(|&v| is_within(scale, v) && !is_major(v)).collect();
    Ticks { major, minor }
}

/// At least two evenly spaced round numbers.
fn even(scale: &Scale, count: usize) -> Ticks {
    let even = Scale { spacing: Spacing::Even, ..*scale };
    let half = even.span() / 2.0;
    let round = steps(even.span() / count.max(2) as f64, false).filter(|&step| step <= half);
    linear(&Axis::linear(""), &even, round.last().unwrap_or(half))
}

/// Zero and at most `count` powers of ten on both sides, the largest always among them. The power next to zero is not
/// labelled.
pub(super) fn signed_log(scale: &Scale, least: f64, count: usize) -> Ticks {
    let lowest = (least.log10() - 1e-9).ceil() as i32;
    let largest = (scale.low.abs().max(scale.high.abs()).log10() + 1e-9).floor() as i32;
    let within = |from: i32, stride: usize| -> Vec<(f64, i32)> {
        let powers = (from..=largest).rev().step_by(stride);
        powers.flat_map(|p| [(-ten(p), p), (ten(p), p)]).filter(|(v, _)| is_within(scale, *v)).collect()
    };
    let labelled = |stride: usize| within(lowest + 1, stride);
    let strides = 1..=(largest - lowest).max(1) as usize;
    let stride = strides.clone().find(|&stride| labelled(stride).len() <= count).unwrap_or(*strides.end());
    let tick = |(value, power): (f64, i32)| {
        let sign = if value < 0.0 { "-" } else { "" };
        let size = if power == 0 { "1".to_owned() } else { format!("10^{{{power}}}") };
        Tick { value, text: format!("${sign}{size}$") }
    };
    let mut major: Vec<Tick> = labelled(stride).into_iter().map(tick).collect();
    if is_within(scale, 0.0) {
        major.push(Tick { value: 0.0, text: "0".to_owned() });
    }
    if major.len() < 2 {
        return even(scale, count);
    }
    major.sort_by(|a, b| a.value.total_cmp(&b.value));
    let is_major = |v: f64| major.iter().any(|tick| tick.value == v);
    let minor = within(lowest, 1).into_iter().map(|(v, _)| v).filter(|&v| !is_major(v)).collect();
    Ticks { major, minor }
}

/// Powers of ten whose multiples are written out, if all of an axis are among them.
const PLAIN: std::ops::RangeInclusive<i32> = -2..=3;

fn multiple(m: u8, power: i32, plain: bool) -> String {
    match (m, power) {
        (_, 0..) if plain => format!("{}", u64::from(m) * 10u64.pow(power as u32)),
        _ if plain => format!("{:.*}", power.unsigned_abs() as usize, f64::from(m) * ten(power)),
        (1, _) => format!("$10^{{{power}}}$"),
        _ => format!("${m}\\times10^{{{power}}}$"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_an_axis_are_written_alike() {
        let texts = |low, high, count| -> Vec<String> {
            let scale = Scale { spacing: Spacing::Log, low, high };
            log(&scale, count, 100.0).major.into_iter().map(|tick| tick.text).collect()
        };
        // Two decades have more than the two powers in them.
        assert_eq!(texts(4.0, 400.0, 6), ["5", "10", "20", "50", "100", "200"]);
        assert_eq!(texts(4.0, 400.0, 4), ["10", "30", "100", "300"]);
        // Never 0.01 beside 5 × 10⁻³.
        let mixed = texts(4e-3, 1.5e-2, 6);
        assert!(mixed.iter().all(|text| text.contains("10^")), "{mixed:?}");
        assert_eq!(texts(4e-6, 4e-4, 5), ["$10^{-5}$", "$10^{-4}$"]);
    }

    /// Labels are round even if no 1, 2 or 5 of a decade is on the axis.
    #[test]
    fn a_short_logarithmic_axis_has_round_labels() {
        for (low, high) in [(3.51, 5.26), (4.1, 4.9), (0.31, 0.38), (213.0, 287.0)] {
            let scale = Scale { spacing: Spacing::Log, low, high };
            for count in 2..6 {
                let found = log(&scale, count, 100.0).major;
                assert!(found.len() >= 2, "{low} to {high}: {found:?}");
                assert!(found.iter().all(|tick| tick.text.len() <= 5), "{low} to {high}: {found:?}");
            }
        }
    }
}
