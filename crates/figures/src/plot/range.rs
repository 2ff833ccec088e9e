//! The range of an axis: the values that it covers, and the room around them.

use super::axis::{Axis, AxisKind};
use super::element::Element;
use super::figure::Panel;
use super::fitted_axis::{self, Side};
use super::scale::{Scale, Spacing};
use super::style::Style;
use crate::text::{TextError, Typesetter};

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
        if let Some((low, high)) =
            axis.range.filter(|(low, high)| spacing.places(*low) && spacing.places(*high))
        {
            return Self { spacing, low, high };
        }
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

    /// The scale with its upper end raised, so that its present range leaves the share `room` free.
    fn with_headroom(&self, room: f64) -> Self {
        let room = room.clamp(0.0, 0.6);
        Self { high: self.value(1.0 / (1.0 - room)), ..*self }
    }
}

/// The scale with room for the numbers above bars.
pub(super) fn with_room_for_values(
    panel: &Panel,
    scale: Scale,
    w: f64,
    h: f64,
    style: &Style,
    setter: &Typesetter,
) -> Result<Scale, TextError> {
    let mut need = 0.0f64;
    let x = fitted_axis::scale(panel, &panel.x, Side::Bottom);
    for element in &panel.elements {
        let Element::Bars(bars) = element else { continue };
        let width = bars.width / x.span() * w;
        for text in bars.bars.iter().filter_map(|bar| bar.value.as_ref()) {
            let size = setter.set(text, &style.value_text())?.area();
            need = need.max(if size.w > width { size.w } else { size.h });
        }
    }
    let room = if need > 0.0 { need + 0.7 * style.tick } else { 0.0 };
    Ok(scale.with_headroom(room / h))
}

#[cfg(test)]
mod tests {
    use super::*;

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
