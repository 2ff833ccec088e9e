//! From values to places along an axis.

use super::axis::{Axis, Kind};

/// An axis whose ends are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    /// Whether it is logarithmic.
    pub(super) log: bool,
    /// Value at its start.
    pub(super) low: f64,
    /// Value at its end.
    pub(super) high: f64,
}

/// Room beyond the outermost values, as a share of the axis.
const ROOM: f64 = 0.05;

impl Scale {
    /// The scale of an axis that has to hold these values. Values that are not finite, and on a logarithmic axis those
    /// that are not positive, have no place and do not count.
    pub(super) fn of(axis: &Axis, values: impl IntoIterator<Item = f64>) -> Self {
        let log = axis.is_log();
        if let Kind::Categories(names) = &axis.kind {
            return Self { log, low: -0.5, high: names.len().max(1) as f64 - 0.5 };
        }
        let ticked = axis.ticks.iter().flatten().map(|tick| tick.0);
        let all = values.into_iter().chain(axis.includes.iter().copied()).chain(ticked);
        let placed = all.filter(|v| v.is_finite() && (!log || *v > 0.0));
        let coordinate = |v: f64| if log { v.log10() } else { v };
        let ends = placed.map(coordinate).fold(None, |ends: Option<(f64, f64)>, v| {
            Some(ends.map_or((v, v), |(low, high)| (low.min(v), high.max(v))))
        });
        let Some((low, high)) = ends else {
            return if log { Self { log, low: 1.0, high: 10.0 } } else { Self { log, low: 0.0, high: 1.0 } };
        };
        // A single value gets a decade, a tenth of itself or, at zero, a unit.
        let least = if log { 0.5 } else { (low.abs().max(high.abs()) * 0.1).max(f64::MIN_POSITIVE) };
        let least = if !log && low == 0.0 && high == 0.0 { 1.0 } else { least };
        let span = high - low;
        let (low, high) = if axis.tight && span > 0.0 {
            (low, high)
        } else {
            let room = if span > 0.0 { ROOM * span } else { least };
            (low - room, high + room)
        };
        let value = |c: f64| if log { 10f64.powf(c) } else { c };
        Self { log, low: value(low), high: value(high) }
    }

    /// Where a value lies: 0 at the start of the axis, 1 at its end. None where it has no place.
    pub(super) fn share(&self, value: f64) -> Option<f64> {
        if !value.is_finite() || (self.log && value <= 0.0) {
            return None;
        }
        Some((self.coordinate(value) - self.coordinate(self.low)) / self.span())
    }

    /// The value at a place.
    pub(super) fn value(&self, share: f64) -> f64 {
        let c = self.coordinate(self.low) + share * self.span();
        if self.log { 10f64.powf(c) } else { c }
    }

    /// Length in the scale's own unit: decades on a logarithmic axis.
    pub(super) fn span(&self) -> f64 {
        self.coordinate(self.high) - self.coordinate(self.low)
    }

    /// The scale with its upper end moved so that what fills it now leaves the share `room` free above.
    pub(super) fn with_headroom(&self, room: f64) -> Self {
        let room = room.clamp(0.0, 0.6);
        Self { high: self.value(1.0 / (1.0 - room)), ..*self }
    }

    fn coordinate(&self, value: f64) -> f64 {
        if self.log { value.log10() } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_values_are_inverse() {
        for scale in [Scale { log: false, low: -3.0, high: 7.0 }, Scale { log: true, low: 1e-9, high: 4e3 }] {
            for i in 0..=20 {
                let share = f64::from(i) / 20.0;
                assert!((scale.share(scale.value(share)).unwrap() - share).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn values_without_a_place_do_not_count() {
        let log = Scale::of(&Axis::log(""), [f64::NAN, f64::INFINITY, -1.0, 0.0, 10.0, 1000.0]);
        assert!(log.low < 10.0 && log.low > 5.0 && log.high > 1000.0 && log.high < 2000.0, "{log:?}");
        assert_eq!(log.share(0.0), None);
        assert_eq!(log.share(f64::NAN), None);
    }

    #[test]
    fn one_value_still_gives_an_axis() {
        for value in [0.0, 5.0, -2e-9, 1e300] {
            let scale = Scale::of(&Axis::linear(""), [value]);
            assert!(scale.low < value && value < scale.high, "{value}: {scale:?}");
        }
        let scale = Scale::of(&Axis::log(""), [1e-9]);
        assert!(scale.low < 1e-9 && 1e-9 < scale.high);
    }

    #[test]
    fn headroom_leaves_the_share_that_was_asked_for() {
        let scale = Scale { log: false, low: 0.0, high: 0.6 };
        let roomy = scale.with_headroom(0.2);
        assert!((roomy.share(0.6).unwrap() - 0.8).abs() < 1e-12);
    }
}
