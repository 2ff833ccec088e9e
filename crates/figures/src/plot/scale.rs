//! From values to places along an axis.

use super::axis::{Axis, Kind};

/// What goes on evenly along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Measure {
    /// The value.
    Value,
    /// Its decades.
    Log,
    /// Decades of 1 + |value|/this, with the value's sign.
    Signed(f64),
}

impl Measure {
    fn coordinate(self, value: f64) -> f64 {
        match self {
            Self::Value => value,
            Self::Log => value.log10(),
            Self::Signed(least) => (1.0 + value.abs() / least).log10().copysign(value),
        }
    }

    fn value(self, coordinate: f64) -> f64 {
        match self {
            Self::Value => coordinate,
            Self::Log => 10f64.powf(coordinate),
            Self::Signed(least) => (least * (10f64.powf(coordinate.abs()) - 1.0)).copysign(coordinate),
        }
    }

    /// Whether a value has a place.
    fn places(self, value: f64) -> bool {
        value.is_finite() && (self != Self::Log || value > 0.0)
    }
}

/// An axis whose ends are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) measure: Measure,
    /// Value at its start.
    pub(super) low: f64,
    /// Value at its end.
    pub(super) high: f64,
}

/// Room beyond the outermost values, as a share of the axis.
const ROOM: f64 = 0.05;

/// From where a signed axis can go by powers of ten.
const SIZES: std::ops::Range<f64> = 1e-290..1e290;

impl Scale {
    /// The scale of an axis that has to hold these values. Values that are not finite, and on a logarithmic axis those
    /// that are not positive, have no place and do not count.
    pub(super) fn of(axis: &Axis, values: impl IntoIterator<Item = f64>) -> Self {
        let measure = match &axis.kind {
            Kind::Log => Measure::Log,
            // Further out f64 has no room for decades.
            Kind::Signed(least) if SIZES.contains(least) => Measure::Signed(*least),
            Kind::Linear | Kind::Signed(_) => Measure::Value,
            Kind::Categories(names) => {
                let high = names.len().max(1) as f64 - 0.5;
                return Self { measure: Measure::Value, low: -0.5, high };
            }
        };
        let ticked = axis.ticks.iter().flatten().map(|tick| tick.0);
        let all = values.into_iter().chain(axis.includes.iter().copied()).chain(ticked);
        let coordinates = all.filter(|v| measure.places(*v)).map(|v| measure.coordinate(v));
        let ends = coordinates.fold(None, |ends: Option<(f64, f64)>, v| {
            Some(ends.map_or((v, v), |(low, high)| (low.min(v), high.max(v))))
        });
        let Some((low, high)) = ends else {
            return Self { measure, low: measure.value(0.0), high: measure.value(1.0) };
        };
        // A single value gets a decade, a tenth of itself or, at zero, a unit.
        let least = match measure {
            Measure::Value if low == 0.0 && high == 0.0 => 1.0,
            Measure::Value => (low.abs().max(high.abs()) * 0.1).max(f64::MIN_POSITIVE),
            Measure::Log | Measure::Signed(_) => 0.5,
        };
        let span = high - low;
        let (low, high) = if axis.tight && span > 0.0 {
            (low, high)
        } else {
            let room = if span > 0.0 { ROOM * span } else { least };
            (low - room, high + room)
        };
        Self { measure, low: measure.value(low), high: measure.value(high) }
    }

    /// Where a value lies: 0 at the start of the axis, 1 at its end. None where it has no place.
    pub(super) fn share(&self, value: f64) -> Option<f64> {
        let measure = self.measure;
        let along = || (measure.coordinate(value) - measure.coordinate(self.low)) / self.span();
        measure.places(value).then(along)
    }

    /// The value at a place.
    pub(super) fn value(&self, share: f64) -> f64 {
        self.measure.value(self.measure.coordinate(self.low) + share * self.span())
    }

    /// Length in the scale's own unit: decades on a logarithmic axis.
    pub(super) fn span(&self) -> f64 {
        self.measure.coordinate(self.high) - self.measure.coordinate(self.low)
    }

    /// The scale with its upper end moved so that what fills it now leaves the share `room` free above.
    pub(super) fn with_headroom(&self, room: f64) -> Self {
        let room = room.clamp(0.0, 0.6);
        Self { high: self.value(1.0 / (1.0 - room)), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_values_are_inverse() {
        let scales =
            [(Measure::Value, -3.0, 7.0), (Measure::Log, 1e-9, 4e3), (Measure::Signed(1e-6), -0.01, 2e-5)];
        for (measure, low, high) in scales {
            let scale = Scale { measure, low, high };
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
    fn a_signed_axis_has_a_place_for_every_size_and_sign() {
        let scale = Scale::of(&Axis::signed("", 1e-6), [-1e-2, 0.0, 1e-5]);
        let share = |v: f64| scale.share(v).unwrap();
        assert!(share(-1e-2) < share(-1e-4) && share(-1e-4) < share(-1e-6) && share(-1e-6) < share(0.0));
        // Away from zero a decade is a decade.
        for least in [0.0, -1.0, 1e-320, f64::INFINITY, f64::NAN] {
            assert_eq!(Scale::of(&Axis::signed("", least), [1.0]).measure, Measure::Value, "{least}");
        }
        let (near, far) = (share(-1e-4) - share(-1e-3), share(-1e-3) - share(-1e-2));
        assert!((near / far - 1.0).abs() < 1e-2, "{near} {far}");
        assert!((share(1e-5) + share(-1e-5) - 2.0 * share(0.0)).abs() < 1e-12, "both sides alike");
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
        let scale = Scale { measure: Measure::Value, low: 0.0, high: 0.6 };
        let roomy = scale.with_headroom(0.2);
        assert!((roomy.share(0.6).unwrap() - 0.8).abs() < 1e-12);
    }
}
