//! What a picture is drawn on. Colours are chosen for white paper; on a dark ground each becomes the one of its hue that
//! stands out as much there.

use super::{Colour, Item, Scene, Stroke};
use std::sync::Arc;

/// What a picture is drawn on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Ground {
    #[default]
    White,
    Transparent,
    Dark,
}

/// A dark page.
const DARK: Colour = Colour::hex(0x161616);
const PAPER: Colour = Colour::hex(0xffffff);
/// Contrasts come out this much larger, so that rounding to whole steps of colour takes nothing away.
const SPARE: f64 = 1.02;

impl Ground {
    /// All of them by name.
    pub(crate) const NAMED: [(&'static str, Self); 3] =
        [("white", Self::White), ("transparent", Self::Transparent), ("dark", Self::Dark)];

    /// The colour of the page; none where it shows what is behind it.
    pub fn page(self) -> Option<Colour> {
        match self {
            Self::White => Some(PAPER),
            Self::Transparent => None,
            Self::Dark => Some(DARK),
        }
    }

    /// What a colour that is meant for white becomes.
    pub fn seen(self, colour: Colour) -> Colour {
        match self {
            Self::White | Self::Transparent => colour,
            Self::Dark if colour.contrast(PAPER) < SPARE => Colour { a: colour.a, ..DARK },
            Self::Dark => {
                let contrast = SPARE * colour.contrast(PAPER);
                colour.of_luminance((contrast * (DARK.luminance() + VEIL) - VEIL).min(1.0))
            }
        }
    }
}

impl Scene {
    /// The scene on another ground than the white one that it was drawn for. Images of the user keep their colours.
    pub(crate) fn on(mut self, ground: Ground) -> Self {
        self.page = ground.page();
        if ground == Ground::Dark {
            self.items.iter_mut().for_each(|item| recolour(item, ground));
        }
        self
    }
}

fn recolour(item: &mut Item, ground: Ground) {
    let seen = |stroke: Stroke| Stroke { colour: ground.seen(stroke.colour), ..stroke };
    match item {
        Item::Path { fill, stroke, .. } => {
            *fill = fill.map(|colour| ground.seen(colour));
            *stroke = stroke.take().map(seen);
        }
        Item::Text { label, .. } => *label = Arc::new(label.recoloured(|colour| ground.seen(colour))),
        Item::Clipped { items, .. } => items.iter_mut().for_each(|item| recolour(item, ground)),
        Item::Image { .. } | Item::Artwork { .. } => {}
    }
}

/// Light that a screen reflects, as WCAG 2 counts it.
const VEIL: f64 = 0.05;

impl Colour {
    /// Relative luminance by WCAG 2, of the colour without its opacity.
    pub fn luminance(self) -> f64 {
        let [r, g, b] = self.light();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Contrast by WCAG 2: from 1 to 21.
    pub fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance() + VEIL, other.luminance() + VEIL);
        a.max(b) / a.min(b)
    }

    /// Linear light of its channels, from 0 to 1.
    fn light(self) -> [f64; 3] {
        [self.r, self.g, self.b].map(|channel| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// The colour of its hue with this luminance: brighter as far as it goes, then whiter.
    fn of_luminance(self, wanted: f64) -> Self {
        let light = self.light();
        let most = light.into_iter().fold(0.0, f64::max);
        let here = self.luminance();
        let gain = if here > 0.0 { (wanted / here).min(1.0 / most) } else { 0.0 };
        let bright = light.map(|c| c * gain);
        let reached = here * gain;
        let white = if reached < wanted { (wanted - reached) / (1.0 - reached) } else { 0.0 };
        let [r, g, b] = bright.map(|c| {
            let c = c + white * (1.0 - c);
            let c = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
            (255.0 * c).round() as u8
        });
        Self { r, g, b, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_the_standard() {
        // The examples that every implementation is checked against: black, and the grey that just passes AA.
        assert!((Colour::hex(0).contrast(PAPER) - 21.0).abs() < 1e-9);
        assert!((Colour::hex(0x767676).contrast(PAPER) - 4.54).abs() < 0.01);
        assert_eq!(PAPER.contrast(PAPER), 1.0);
    }

    #[test]
    fn a_dark_ground_keeps_the_contrast_of_every_colour() {
        let steps = || (0..=255u32).step_by(15);
        for (r, g, b) in steps().flat_map(|r| steps().flat_map(move |g| steps().map(move |b| (r, g, b)))) {
            let colour = Colour::hex(r << 16 | g << 8 | b);
            let (before, after) = (colour.contrast(PAPER), Ground::Dark.seen(colour).contrast(DARK));
            // White on dark is less than black on white.
            let wanted = before.min(PAPER.contrast(DARK));
            assert!(after > 0.99 * wanted, "{}: {before} becomes {after}", colour.css());
            assert!(after >= 3.0 || before < 3.0, "{}: {before} becomes {after}", colour.css());
        }
        assert_eq!(Ground::Dark.seen(PAPER), DARK);
        assert_eq!(Ground::Dark.seen(PAPER.faint(0.5)), DARK.faint(0.5));
    }
}
