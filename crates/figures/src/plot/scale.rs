//! Maps values to positions along an axis.

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
    pub(super) fn coordinate(self, value: f64) -> f64 {
        match self {
            Self::Even => value,
            Self::Log => value.log10(),
            Self::Signed(least) => (1.0 + value.abs() / least).log10().copysign(value),
        }
    }

    pub(super) fn value(self, coordinate: f64) -> f64 {
        match self {
            Self::Even => coordinate,
            Self::Log => 10f64.powf(coordinate),
            Self::Signed(least) => (least * (10f64.powf(coordinate.abs()) - 1.0)).copysign(coordinate),
        }
    }

    /// Whether a value has a position.
    pub(super) fn places(self, value: f64) -> bool {
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

impl Scale {
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
}
