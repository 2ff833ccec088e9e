//! The images of a PDF file.

use crate::scene::Bitmap;
use hayro_interpret::{ImageData, LumaData};

/// The pixels of an image, and how much each has to be stretched.
pub(super) fn coloured(data: ImageData, alpha: Option<LumaData>) -> (Bitmap, (f32, f32)) {
    let (width, height, stretch) = (data.width(), data.height(), data.scale_factors());
    let colours: Vec<[u8; 3]> = match &data {
        ImageData::Rgb(rgb) => rgb.data.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect(),
        ImageData::Luma(luma) => luma.data.iter().map(|&v| [v; 3]).collect(),
    };
    // An image and its opacity may differ in size: the nearest sample is taken.
    let opacity = |i: usize| {
        let Some(alpha) = &alpha else { return 255 };
        let (x, y) = (i as u64 % u64::from(width), i as u64 / u64::from(width));
        let column = (2 * x + 1) * u64::from(alpha.width) / (2 * u64::from(width));
        let row = (2 * y + 1) * u64::from(alpha.height) / (2 * u64::from(height));
        alpha.data.get((row * u64::from(alpha.width) + column) as usize).copied().unwrap_or(255)
    };
    let rgba = colours.iter().enumerate().flat_map(|(i, &[r, g, b])| [r, g, b, opacity(i)]).collect();
    (Bitmap { width, height, rgba }, stretch)
}

/// Ink in the shape of a mask.
pub(super) fn stencilled(mask: LumaData, [r, g, b, a]: [u8; 4]) -> (Bitmap, (f32, f32)) {
    let opacity = |v: u8| (u16::from(v) * u16::from(a) / 255) as u8;
    let rgba = mask.data.iter().flat_map(|&v| [r, g, b, opacity(v)]).collect();
    (Bitmap { width: mask.width, height: mask.height, rgba }, mask.scale_factors)
}
