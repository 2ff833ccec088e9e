//! Pixels from PNG and JPEG files.

use super::error::Fault;
use super::load::{Content, Picture};
use crate::scene::Bitmap;
use png::{ColorType, Decoder, Transformations};
use std::io::Cursor;
use std::sync::Arc;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The most pixels that an image may have.
const MOST: u64 = 100_000_000;

pub(super) fn picture(data: Vec<u8>) -> Result<Picture, Fault> {
    let bitmap = png(&data)?;
    let width = bitmap.width.into();
    let height = bitmap.height.into();
    Ok(Picture { width, height, content: Content::Pixels(Arc::new(bitmap)) })
}

/// Refuses images that are too large before they are decoded.
fn check_size(width: u64, height: u64) -> Result<(), Fault> {
    if width == 0 || height == 0 {
        return Err(Fault::Broken("it holds an image without pixels".to_owned()));
    }
    if width.saturating_mul(height) > MOST {
        let problem =
            format!("it has {width} × {height} pixels; at most {MOST} are allowed: make it smaller");
        return Err(Fault::Broken(problem));
    }
    Ok(())
}

pub(super) fn png(data: &[u8]) -> Result<Bitmap, Fault> {
    let broken = |error: png::DecodingError| Fault::Broken(format!("it cannot be read as PNG ({error})"));
    let mut decoder = Decoder::new(Cursor::new(data));
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    let header = decoder.read_header_info().map_err(broken)?;
    let width = header.width;
    let height = header.height;
    check_size(width.into(), height.into())?;
    let mut reader = decoder.read_info().map_err(broken)?;
    let length = reader.output_buffer_size().unwrap_or_default();
    let mut samples = vec![0; length];
    let frame = reader.next_frame(&mut samples).map_err(broken)?;
    samples.truncate(frame.buffer_size());
    let rgba = match frame.color_type {
        ColorType::Rgba => samples,
        ColorType::Rgb => samples.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect(),
        ColorType::GrayscaleAlpha => samples.chunks_exact(2).flat_map(|p| [p[0], p[0], p[0], p[1]]).collect(),
        ColorType::Grayscale | ColorType::Indexed => samples.iter().flat_map(|&v| [v, v, v, 255]).collect(),
    };
    Ok(Bitmap { width, height, rgba })
}

pub(super) fn jpeg(data: &[u8]) -> Result<Bitmap, Fault> {
    let broken =
        |error: String| Fault::Broken(format!("it holds a JPEG image that cannot be read ({error})"));
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(data), options);
    decoder.decode_headers().map_err(|error| broken(error.to_string()))?;
    let info = decoder.info().ok_or_else(|| broken("it has no header".to_owned()))?;
    check_size(info.width.into(), info.height.into())?;
    let rgba = decoder.decode().map_err(|error| broken(error.to_string()))?;
    Ok(Bitmap { width: info.width.into(), height: info.height.into(), rgba })
}
