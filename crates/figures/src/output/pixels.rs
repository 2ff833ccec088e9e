//! Pixels written as PNG.

use super::OutputError;
use png::{BitDepth, ColorType, Compression, Encoder, Filter, PixelDimensions, Unit};

/// What a PNG file holds beside its pixels.
#[derive(Default)]
pub(super) struct Extras {
    /// Dots an inch.
    pub(super) dpi: Option<f64>,
    /// Keywords and what they say.
    pub(super) texts: Vec<(&'static str, String)>,
}

/// The pixels as a PNG file; `samples` holds three or four bytes a pixel.
pub(super) fn encode(
    samples: &[u8],
    (width, height): (u32, u32),
    colour: ColorType,
    extras: &Extras,
) -> Result<Vec<u8>, OutputError> {
    let refused =
        |error: png::EncodingError| OutputError::Writer { format: "PNG", reason: error.to_string() };
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    encoder.set_filter(Filter::Adaptive);
    if let Some(dpi) = extras.dpi {
        let a_metre = (dpi / 0.0254).round() as u32;
        encoder.set_pixel_dims(Some(PixelDimensions { xppu: a_metre, yppu: a_metre, unit: Unit::Meter }));
    }
    for (keyword, text) in &extras.texts {
        encoder.add_itxt_chunk((*keyword).to_owned(), text.clone()).map_err(refused)?;
    }
    let mut writer = encoder.write_header().map_err(refused)?;
    writer.write_image_data(samples).map_err(refused)?;
    writer.finish().map_err(refused)?;
    Ok(file)
}
