//! Axes that the file leaves open: how epochs and the values of a key are spaced, and where panels that are compared end.

use crate::plot::{Axis, Element, Panel, Says};

/// A wider range gets a logarithmic axis where the file leaves it open: what is a hundred times smaller would be flat at zero.
const DECADES: f64 = 1.5;
/// Fewer epochs are never spaced logarithmically.
const MANY_EPOCHS: u64 = 12;

/// An axis of epochs; spaced by orders of magnitude, the first ones are as wide as the many at the end.
pub(super) fn epochs(log: bool, last: u64) -> Axis {
    if !log || last < MANY_EPOCHS {
        return Axis::epochs();
    }
    let powers = (0..).map(|k| 10u64.pow(k)).take_while(|power| *power <= last);
    let ticks =
        std::iter::once(0).chain(powers.flat_map(|power| [power, 3 * power])).filter(|tick| *tick <= last);
    let ticked = Axis::signed("Epoch", 1.0).ticked(ticks.map(|tick| (tick as f64, tick.to_string())));
    Axis { says: Says::Epoch, ..ticked }
}

/// An axis for the numbers that a key takes.
pub(super) fn numbers(label: &str, values: &[f64]) -> Axis {
    let positive = || values.iter().copied().filter(|v| *v > 0.0);
    let least = positive().fold(f64::INFINITY, f64::min);
    let most = positive().fold(0.0, f64::max);
    match values.iter().all(|v| *v > 0.0) {
        _ if most / least < 10f64.powf(DECADES) || least.is_infinite() => Axis::linear(label),
        true => Axis::log(label),
        false => Axis::signed(label, least / 3.0),
    }
}

/// Whether the values of the lines span orders of magnitude.
pub(super) fn is_wide(elements: &[Element]) -> bool {
    let data = |element: &Element| match element {
        Element::Line(line) => line.data.iter().map(|d| d.y).collect(),
        _ => Vec::new(),
    };
    let positive = || elements.iter().flat_map(data).filter(|y| y.is_finite() && *y > 0.0);
    positive().fold(0.0, f64::max) / positive().fold(f64::INFINITY, f64::min) > 10f64.powf(DECADES)
}

/// Gives panels that are to be compared the same ends.
pub(super) fn same_ends(panels: &mut [Panel]) {
    if panels.len() < 2 {
        return;
    }
    let ends = |element: &Element| match element {
        Element::Line(line) => line.data.iter().map(|d| (d.x, d.y)).collect(),
        Element::Band(band) => band.data.iter().flat_map(|d| [(d.0, d.1), (d.0, d.2)]).collect(),
        Element::Strip(strip) => {
            let [low, high] = strip.sides();
            strip.edges().into_iter().flat_map(|(from, to)| [(from, low), (to, high)]).collect()
        }
        _ => Vec::new(),
    };
    let points: Vec<(f64, f64)> = panels.iter().flat_map(|panel| &panel.elements).flat_map(ends).collect();
    for panel in panels {
        let is_log = panel.y.is_log();
        let y = points.iter().map(|p| p.1).filter(|y| y.is_finite() && (!is_log || *y > 0.0));
        panel.y.includes.extend(y.clone().min_by(f64::total_cmp).into_iter().chain(y.max_by(f64::total_cmp)));
        let x = points.iter().map(|p| p.0).filter(|x| x.is_finite());
        panel.x.includes.extend(x.clone().min_by(f64::total_cmp).into_iter().chain(x.max_by(f64::total_cmp)));
    }
}
