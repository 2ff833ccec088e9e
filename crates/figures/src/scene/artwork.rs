//! Artwork of the user: shapes, images and clips in its own coordinates.
#![expect(missing_docs, reason = "the other names say it")]

use super::{Affine, Bitmap, Colour, Item, Path, Rect};
use std::sync::Arc;

/// Artwork of the user.
#[derive(Debug, Default)]
pub struct Artwork {
    /// From bottom to top.
    pub parts: Vec<ArtworkPart>,
}

impl Artwork {
    /// A white sheet behind an image that is made for white paper.
    pub(crate) fn sheet(area: &Rect) -> Item {
        let colour = Colour::hex(0xff_ff_ff);
        let part = ArtworkPart::Shape { path: Path::rect(area), rule: Rule::NonZero, colour };
        Item::Artwork { artwork: Arc::new(Self { parts: vec![part] }), map: Affine::IDENTITY }
    }
}

/// Something in an artwork.
#[derive(Clone, Debug)]
pub enum ArtworkPart {
    /// A filled outline. Strokes are converted to outlines.
    Shape { path: Path, rule: Rule, colour: Colour },
    /// Pixels of one unit each, mapped to the artwork.
    Image { bitmap: Arc<Bitmap>, map: Affine },
    /// Parts clipped to an outline.
    Cut { path: Path, rule: Rule, parts: Vec<ArtworkPart> },
}

/// The fill rule of an outline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    #[default]
    NonZero,
    EvenOdd,
}
