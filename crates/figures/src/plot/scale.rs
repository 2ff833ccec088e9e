//! Maps values to positions along an axis.

use super::axis::{Axis, AxisKind};

/// What is spaced evenly along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spacing {
    /// Values.
    Even,
    /// Decades.
    Log,
    /// Decades of 1 + |value|/this, with the value's sign.
    Signed(f64),
}

impl Spacing {
    fn coordinate(self, value: f64) -> f64 {
        match self {
            Self::Even => value,
            Self::Log => value.log10(),
            Self::Signed(least) => (1.0 + value.abs() / least).log10().copysign(value),
        }
    }

    fn value(self, coordinate: f64) -> f64 {
        match self {
            Self::Even => coordinate,
            Self::Log => 10f64.powf(coordinate),
            Self::Signed(least) => (least * (10f64.powf(coordinate.abs()) - 1.0)).copysign(coordinate),
        }
    }

    /// Whether a value has a position.
    fn places(self, value: f64) -> bool {
        value.is_finite() && (self != Self::Log || value > 0.0)
    }
}

/// An axis whose ends are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) spacing: Spacing,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Margin beyond the outermost values, as a share of their range.
const ROOM: f64 = 0.05;

/// The range of thresholds for which a signed axis can be logarithmic.
const SIZES: std::ops::Range<f64> = 1e-290..1e290;

impl Scale {
    /// The scale of an axis that must cover these values. Values that are not finite, and on a logarithmic axis those
    /// that are not positive, are ignored.
    pub(super) fn of(axis: &Axis, values: impl IntoIterator<Item = f64>) -> Self {
        let spacing = match &axis.kind {
            AxisKind::Log => Spacing::Log,
            // Beyond, f64 has no room for decades.
            AxisKind::Signed(least) if SIZES.contains(least) => Spacing::Signed(*least),
            AxisKind::Linear | AxisKind::Signed(_) => Spacing::Even,
            AxisKind::Categories(names) => {
                let high = names.len().max(1) as f64 - 0.5;
                return Self { spacing: Spacing::Even, low: -0.5, high };
            }
        };
        let ticked = axis.ticks.iter().flatten().map(|tick| tick.0);
        let all = values.into_iter().chain(axis.includes.iter().copied()).chain(ticked);
        let coordinates = all.filter(|v| spacing.places(*v)).map(|v| spacing.coordinate(v));
        let ends = coordinates.fold(None, |ends: Option<(f64, f64)>, v| {
            Some(ends.map_or((v, v), |(low, high)| (low.min(v), high.max(v))))
        });
        let Some((low, high)) = ends else {
            return Self { spacing, low: spacing.value(0.0), high: spacing.value(1.0) };
        };
        // A single value gets half a decade, a tenth of itself or, at zero, 1 on each side.
        let least = match spacing {
            Spacing::Even if low == 0.0 && high == 0.0 => 1.0,
            Spacing::Even => (low.abs().max(high.abs()) * 0.1).max(f64::MIN_POSITIVE),
            Spacing::Log | Spacing::Signed(_) => 0.5,
        };
        let span = high - low;
        let room = match axis.tight {
            _ if span <= 0.0 => least,
            true => 0.0,
            false => ROOM * span,
        };
        Self { spacing, low: spacing.value(low - room), high: spacing.value(high + room) }
    }

    /// The position of a value: 0 at the start of the axis, 1 at its end.
    pub(super) fn share(&self, value: f64) -> Option<f64> {
        let spacing = self.spacing;
        let along = || (spacing.coordinate(value) - spacing.coordinate(self.low)) / self.span();
        spacing.places(value).then(along)
    }

    /// The value at a position.
    pub(super) fn value(&self, share: f64) -> f64 {
        self.spacing.value(self.spacing.coordinate(self.low) + share * self.span())
    }

    /// Length in units of the spacing: decades on a logarithmic axis.
    pub(super) fn span(&self) -> f64 {
        self.spacing.coordinate(self.high) - self.spacing.coordinate(self.low)
    }

    /// The scale with its upper end raised, so that its present range leaves the share `room` free.
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
            [(Spacing::Even, -3.0, 7.0), (Spacing::Log, 1e-9, 4e3), (Spacing::Signed(1e-6), -0.01, 2e-5)];
        for (spacing, low, high) in scales {
            let scale = Scale { spacing, low, high };
            for i in 0..=20 {
                let share = f64::from(i) / 20.0;
                assert!((scale.share(scale.value(share)).unwrap() - share).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn values_without_a_position_do_not_count() {
        let log = Scale::of(&Axis::log(""), [f64::NAN, f64::INFINITY, -1.0, 0.0, 10.0, 1000.0]);
        assert!(log.low < 10.0 && log.low > 5.0 && log.high > 1000.0 && log.high < 2000.0, "{log:?}");
        assert_eq!(log.share(0.0), None);
        assert_eq!(log.share(f64::NAN), None);
    }

    #[test]
    fn a_signed_axis_covers_every_magnitude_and_sign() {
        let scale = Scale::of(&Axis::signed("", 1e-6), [-1e-2, 0.0, 1e-5]);
        let share = |v: f64| scale.share(v).unwrap();
        assert!(share(-1e-2) < share(-1e-4) && share(-1e-4) < share(-1e-6) && share(-1e-6) < share(0.0));
        // Away from zero a decade is a decade.
        for least in [0.0, -1.0, 1e-320, f64::INFINITY, f64::NAN] {
            assert_eq!(Scale::of(&Axis::signed("", least), [1.0]).spacing, Spacing::Even, "{least}");
        }
        let near = share(-1e-4) - share(-1e-3);
        let far = share(-1e-3) - share(-1e-2);
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
        let scale = Scale { spacing: Spacing::Even, low: 0.0, high: 0.6 };
        let roomy = scale.with_headroom(0.2);
        assert!((roomy.share(0.6).unwrap() - 0.8).abs() < 1e-12);
    }
}
