//! Parts of an artwork as pixels on nothing.

use super::canvas::draw_parts;
use super::raster::Raster;
use crate::scene::{Affine, Bitmap, Part};

/// Draws parts once for each map that takes them to the pixels; nothing if there are no pixels.
pub(crate) fn bitmap(
    parts: &[Part],
    maps: impl IntoIterator<Item = Affine>,
    (width, height): (u32, u32),
) -> Option<Bitmap> {
    let mut raster = Raster::clear((width, height))?;
    for map in maps {
        draw_parts(parts, &map, &mut raster);
    }
    Some(Bitmap { width, height, rgba: raster.rgba() })
}
