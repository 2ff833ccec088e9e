//! Downscales images with more pixels than the page: drawn directly, they would lose thin lines.

use crate::scene::Bitmap;
use tiny_skia::{ColorU8, IntSize, Pixmap};

/// The image, halved until each side has fewer than twice as many pixels as wanted.
pub(super) fn shrunk(bitmap: &Bitmap, width: f64, height: f64) -> Option<Pixmap> {
    let blend = |p: &[u8]| ColorU8::from_rgba(p[0], p[1], p[2], p[3]).premultiply();
    let pixels =
        bitmap.rgba.chunks_exact(4).map(blend).flat_map(|c| [c.red(), c.green(), c.blue(), c.alpha()]);
    let mut image = Image { width: bitmap.width, height: bitmap.height, pixels: pixels.collect() };
    loop {
        let across = if f64::from(image.width) >= 2.0 * width && image.width > 1 { 2 } else { 1 };
        let down = if f64::from(image.height) >= 2.0 * height && image.height > 1 { 2 } else { 1 };
        if (across, down) == (1, 1) {
            return Pixmap::from_vec(image.pixels, IntSize::from_wh(image.width, image.height)?);
        }
        image = image.averaged(across, down);
    }
}

/// Premultiplied pixels.
struct Image {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Image {
    /// The means of blocks of `across` × `down` pixels, which may be smaller at the far edges.
    fn averaged(&self, across: u32, down: u32) -> Self {
        let width = self.width.div_ceil(across);
        let height = self.height.div_ceil(down);
        let mut pixels = Vec::with_capacity(4 * width as usize * height as usize);
        for y in 0..height {
            for x in 0..width {
                let rows = y * down..((y + 1) * down).min(self.height);
                let columns = x * across..((x + 1) * across).min(self.width);
                let mut sum = [0_u32; 4];
                let mut count = 0;
                for (row, column) in rows.flat_map(|row| columns.clone().map(move |column| (row, column))) {
                    let start = 4 * (row as usize * self.width as usize + column as usize);
                    for (sum, &v) in sum.iter_mut().zip(&self.pixels[start..start + 4]) {
                        *sum += u32::from(v);
                    }
                    count += 1;
                }
                pixels.extend(sum.map(|sum| ((sum + count / 2) / count) as u8));
            }
        }
        Self { width, height, pixels }
    }
}
