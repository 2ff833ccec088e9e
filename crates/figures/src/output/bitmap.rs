//! Parts of an artwork as pixels on nothing.

use super::canvas::draw_parts;
use super::raster::Raster;
use crate::scene::{Affine, Bitmap, Part};

/// Draws parts; the map takes them to the pixels. None where there are no pixels.
pub(crate) fn bitmap(parts: &[Part], map: &Affine, (width, height): (u32, u32)) -> Option<Bitmap> {
    let mut raster = Raster::clear((width, height))?;
    draw_parts(parts, map, &mut raster);
    Some(Bitmap { width, height, rgba: raster.rgba() })
}
