//! PNG encoding.

use super::OutputError;
use png::{BitDepth, ColorType, Compression, Encoder, Filter, PixelDimensions, Unit};

/// Metadata of a PNG file.
#[derive(Default)]
pub(super) struct Extras {
    pub(super) dpi: Option<f64>,
    /// By keyword.
    pub(super) texts: Vec<(&'static str, String)>,
}

/// Encodes pixels of three or four bytes each.
pub(super) fn encode(
    samples: &[u8],
    width: u32,
    height: u32,
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
        let per_metre = (dpi / 0.0254).round() as u32;
        encoder.set_pixel_dims(Some(PixelDimensions { xppu: per_metre, yppu: per_metre, unit: Unit::Meter }));
    }
    for (keyword, text) in &extras.texts {
        encoder.add_itxt_chunk((*keyword).to_owned(), text.clone()).map_err(refused)?;
    }
    let mut writer = encoder.write_header().map_err(refused)?;
    writer.write_image_data(samples).map_err(refused)?;
    writer.finish().map_err(refused)?;
    Ok(file)
}
