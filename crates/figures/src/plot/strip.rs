//! A row of coloured cells; several above one another are a heat map.

use super::axis::Axis;
use super::element::Datum;
use super::palette;
use super::scale::Scale;
use crate::scene::{Colour, Meaning};

/// Values of one series as colours, side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// Its name in the table.
    pub name: String,
    /// Its place along the vertical axis.
    pub at: f64,
    /// From left to right. `y` is the value that the colour shows, NaN where it is undefined; nothing is drawn where
    /// nothing was measured.
    pub data: Vec<Datum>,
    /// How values become colours.
    pub shade: Shade,
    /// Becomes `data-` attributes in an SVG.
    pub meaning: Meaning,
}

impl Strip {
    /// The horizontal ends of every cell: halfway to the next one, and the outermost as far on the other side.
    pub(crate) fn edges(&self) -> Vec<(f64, f64)> {
        let x = |i: usize| self.data[i].x;
        let last = self.data.len().saturating_sub(1);
        let before = |i: usize| if i > 0 { (x(i) - x(i - 1)) / 2.0 } else { f64::NAN };
        let after = |i: usize| if i < last { (x(i + 1) - x(i)) / 2.0 } else { f64::NAN };
        let or = |a: f64, b: f64| if a.is_nan() { if b.is_nan() { 0.5 } else { b } } else { a };
        let edges = |i| (x(i) - or(before(i), after(i)), x(i) + or(after(i), before(i)));
        (0..self.data.len()).map(edges).collect()
    }

    /// The lower and upper end of its cells.
    pub(crate) fn sides(&self) -> [f64; 2] {
        [self.at - 0.5, self.at + 0.5]
    }
}

/// How values become colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Shade {
    /// What is shown, and the values at the ends of the ramp.
    pub axis: Axis,
    /// In even steps along the axis.
    pub ramp: &'static [Colour],
}

impl Shade {
    /// Values on both sides of zero, up to `most`.
    pub fn signed(label: &str, most: f64) -> Self {
        let axis = Axis { tight: true, ..Axis::linear(label) }.including([-most, most]);
        Self { axis, ramp: &palette::SIGNED }
    }

    /// Sizes, along an axis that includes the least and the largest.
    pub fn rising(axis: Axis) -> Self {
        Self { axis: Axis { tight: true, ..axis }, ramp: &palette::RISING }
    }

    /// The values at the ends of the ramp.
    pub(super) fn ends(&self) -> (f64, f64) {
        let scale = self.scale();
        (scale.low, scale.high)
    }

    pub(super) fn scale(&self) -> Scale {
        Scale::of(&self.axis, [])
    }

    /// The colour at a share of the ramp.
    pub(super) fn at(&self, share: f64) -> Colour {
        let place = share.clamp(0.0, 1.0) * (self.ramp.len() - 1) as f64;
        let i = (place.floor() as usize).min(self.ramp.len() - 2);
        self.ramp[i].towards(self.ramp[i + 1], place - i as f64)
    }

    /// The colour of a value; that of the nearer end beyond the ramp, and none if it has no place along the axis.
    pub(super) fn colour(&self, scale: &Scale, value: f64) -> Option<Colour> {
        match scale.share(value) {
            Some(share) => Some(self.at(share)),
            None if value == f64::INFINITY => Some(self.at(1.0)),
            None if value.is_nan() => None,
            None => Some(self.at(0.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip(x: &[f64]) -> Strip {
        let data = x.iter().map(|&x| Datum::new(x, 0.0)).collect();
        let shade = Shade::signed("", 1.0);
        Strip { name: String::new(), at: 0.0, data, shade, meaning: Meaning::default() }
    }

    #[test]
    fn cells_meet_halfway() {
        assert_eq!(strip(&[0.0, 1.0, 3.0]).edges(), [(-0.5, 0.5), (0.5, 2.0), (2.0, 4.0)]);
        assert_eq!(strip(&[7.0]).edges(), [(6.5, 7.5)]);
        assert_eq!(strip(&[]).edges(), []);
    }

    #[test]
    fn colours_run_along_the_ramp() {
        let shade = Shade::signed("", 1.0);
        let scale = shade.scale();
        let colour = |value: f64| shade.colour(&scale, value);
        for (i, step) in palette::SIGNED.iter().enumerate() {
            assert_eq!(colour(i as f64 / 4.0 - 1.0), Some(*step));
        }
        assert_eq!((colour(7.0), colour(f64::NEG_INFINITY)), (colour(1.0), colour(-1.0)));
        assert_eq!(colour(f64::NAN), None);
        // Neighbours differ although they are between the same two steps.
        assert_ne!(colour(0.1), colour(0.15));
        let log = Shade::rising(Axis::log("").including([1e-4, 1e4]));
        assert_eq!(log.colour(&log.scale(), 1.0), Some(palette::RISING[4]));
        assert_eq!(log.colour(&log.scale(), 0.0), Some(palette::RISING[0]));
    }
}
