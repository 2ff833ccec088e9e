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
    let major: Vec<Tick> = if decades >= 2 || (decades == 1 && count == 1) {
        let stride = ((decades as usize).div_ceil(count) as i32).max(1);
        (first..=last)
            .filter(|power| power.rem_euclid(stride) == 0)
            .map(|power| Tick { value: ten(power), text: format!("$10^{{{power}}}$") })
            .collect()
    } else {
        let sets: [&[u8]; 3] = [&[1, 2, 3, 4, 6, 8], &[1, 2, 5], &[1, 3]];
        let within = |set: &[u8]| -> Vec<(u8, i32)> {
            let all = (first - 1..=last + 1).flat_map(|power| set.iter().map(move |m| (*m, power)));
            all.filter(|(m, power)| is_within(scale, f64::from(*m) * ten(*power))).collect()
        };
        let found: Vec<Vec<(u8, i32)>> = sets.iter().map(|set| within(set)).collect();
        let chosen = found.iter().find(|f| f.len() <= count).unwrap_or(&found[2]);
        // A very short axis may contain none of these; it is then divided evenly.
        if chosen.len() < 2 {
            return even(scale, count);
        }
        chosen
            .iter()
            .map(|&(m, power)| Tick { value: f64::from(m) * ten(power), text: multiple(m, power) })
            .collect()
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

fn multiple(m: u8, power: i32) -> String {
    match (m, power) {
        (_, 0..=3) => format!("{}", u64::from(m) * 10u64.pow(power as u32)),
        (_, -2..=-1) => format!("{:.*}", power.unsigned_abs() as usize, f64::from(m) * ten(power)),
        (1, _) => format!("$10^{{{power}}}$"),
        _ => format!("${m}\\times10^{{{power}}}$"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
