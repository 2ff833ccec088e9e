//! Artwork made elsewhere: shapes, images and cuts at places of its own.

use super::{Affine, Bitmap, Colour, Path};
use std::sync::Arc;

/// Artwork made elsewhere.
#[derive(Debug, Default)]
pub struct Artwork {
    /// What it is made of, the first at the bottom.
    pub parts: Vec<Part>,
}

/// Something in an artwork.
#[derive(Clone, Debug)]
pub enum Part {
    /// A filled outline. Lines are outlines too.
    Shape {
        /// Outline.
        path: Path,
        /// What lies inside of it.
        rule: Rule,
        /// Ink.
        colour: Colour,
    },
    /// Pixels; the map takes the box of one unit a pixel to the artwork.
    Image {
        /// The pixels.
        bitmap: Arc<Bitmap>,
        /// Where to.
        map: Affine,
    },
    /// Things cut off outside of an outline.
    Cut {
        /// Outline.
        path: Path,
        /// What lies inside of it.
        rule: Rule,
        /// The things.
        parts: Vec<Part>,
    },
}

/// What lies inside of an outline that crosses itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// What the outline goes around more often one way than the other.
    #[default]
    NonZero,
    /// What lies behind an odd number of its lines.
    EvenOdd,
}
