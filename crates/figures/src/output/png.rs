//! PNG: the picture in pixels.

use super::canvas::{check, draw};
use super::pixels::{Extras, encode};
use super::raster::Raster;
use super::skia::straight;
use super::{Metadata, OutputError};
use crate::scene::Scene;
use std::ops::RangeInclusive;

/// The most pixels per side and in total.
const SIDE: u64 = 20_000;
const TOTAL: u64 = 200_000_000;

/// Pixels per inch, unless another number is asked for.
pub const DPI: f64 = 300.0;

/// Pixels per inch that can be asked for.
pub const DPI_RANGE: RangeInclusive<f64> = 20.0..=2400.0;

/// The picture as a PNG file with `dpi` pixels per inch.
pub fn png(scene: &Scene, dpi: f64, metadata: &Metadata) -> Result<Vec<u8>, OutputError> {
    check(scene)?;
    if !DPI_RANGE.contains(&dpi) {
        return Err(OutputError::Resolution { dpi });
    }
    let scale = dpi / 72.0;
    let pixels = |side: f64| ((side * scale).round() as u64).max(1);
    let width = pixels(scene.width);
    let height = pixels(scene.height);
    if width > SIDE || height > SIDE || width * height > TOTAL {
        return Err(OutputError::Pixels { width, height, most: SIDE, total: TOTAL });
    }
    let refused = || OutputError::Writer { format: "PNG", reason: "no memory for its pixels".to_owned() };
    let mut raster = Raster::new(width as u32, height as u32, scale, scene.page).ok_or_else(refused)?;
    draw(scene, &mut raster);
    let texts = [
        ("Title", metadata.title.clone()),
        ("Description", metadata.description.clone()),
        ("Source", metadata.sources.join("\n")),
        ("Software", metadata.creator.clone()),
    ];
    let texts = texts.into_iter().filter(|(_, text)| !text.is_empty()).collect();
    let extras = Extras { dpi: Some(dpi), texts };
    let (samples, kind) = match scene.page {
        Some(_) => (raster.samples(), png::ColorType::Rgb),
        None => (straight(&raster.pixels), png::ColorType::Rgba),
    };
    encode(&samples, width as u32, height as u32, kind, &extras)
}
