//! Rasterises parts of an artwork on a transparent background.

use super::canvas::draw_parts;
use super::raster::Raster;
use super::skia::straight;
use crate::scene::{Affine, ArtworkPart, Bitmap};

/// Draws parts; the map takes them to the pixels. `None` if there are no pixels.
pub(crate) fn bitmap(parts: &[ArtworkPart], map: &Affine, width: u32, height: u32) -> Option<Bitmap> {
    let mut raster = Raster::clear(width, height)?;
    draw_parts(parts, map, &mut raster);
    Some(Bitmap { width, height, rgba: straight(&raster.pixels) })
}
