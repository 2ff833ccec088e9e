//! One sample as it is, or through a random crop and flip.
//!
//! The crop is cut from the image with a border of [`PAD`] black pixels, black before normalisation, as in
//! torchvision's `RandomCrop(32, padding=4)` followed by `RandomHorizontalFlip`. The padded image is never built: rows
//! are copied from the image itself.

use crate::ImageShape;
use crate::normalise::Scale;

/// Width of the black border that a crop may reach into.
pub(crate) const PAD: usize = 4;

/// How a sample is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// As it is.
    Plain,
    /// A window of the image's size in the image padded by 4 pixels.
    Crop {
        /// First row of the window in the padded image, 0 to 8; 4 is the centre.
        top: u8,
        /// First column of the window in the padded image.
        left: u8,
        /// Whether the window is then mirrored from left to right.
        flip: bool,
    },
}

/// Writes an image of channel planes, normalised, into `row`.
pub(crate) fn write(image: &[u8], shape: ImageShape, scale: &Scale, view: View, row: &mut [f32]) {
    let plane = shape.height * shape.width;
    for (channel, (source, target)) in image.chunks_exact(plane).zip(row.chunks_exact_mut(plane)).enumerate()
    {
        let table = scale.channel(channel);
        match view {
            View::Plain => copy(source, table, target),
            View::Crop { top, left, flip } => {
                // The window's top left corner in image coordinates, from −PAD to PAD.
                let [top, left] = [top, left].map(|shift| shift as isize - PAD as isize);
                for (y, target) in target.chunks_exact_mut(shape.width).enumerate() {
                    match usize::try_from(y as isize + top) {
                        Ok(y) if y < shape.height => {
                            crop_row(&source[y * shape.width..][..shape.width], left, flip, table, target);
                        }
                        _ => target.fill(table[0]),
                    }
                }
            }
        }
    }
}

/// One row of the window: the part inside the image, with the border on either side.
fn crop_row(source: &[u8], left: isize, flip: bool, table: &[f32; 256], target: &mut [f32]) {
    let width = source.len();
    let before = left.min(0).unsigned_abs().min(width);
    let after = left.max(0).unsigned_abs().min(width);
    // Columns `after ..` of the image become columns `before ..` of the window.
    let inside = &source[after..width - before];
    let black = table[0];
    if flip {
        target[..after].fill(black);
        target[width - before..].fill(black);
        for (out, &v) in target[after..width - before].iter_mut().zip(inside.iter().rev()) {
            *out = table[usize::from(v)];
        }
    } else {
        target[..before].fill(black);
        target[width - after..].fill(black);
        copy(inside, table, &mut target[before..width - after]);
    }
}

fn copy(source: &[u8], table: &[f32; 256], target: &mut [f32]) {
    for (out, &v) in target.iter_mut().zip(source) {
        *out = table[usize::from(v)];
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, pixel by pixel: pad, cut, mirror, normalise.
    fn slow(image: &[u8], shape: ImageShape, scale: &Scale, view: View) -> Vec<f32> {
        let View::Crop { top, left, flip } = view else { unreachable!() };
        let ImageShape { height: h, width: w, .. } = shape;
        let mut out = Vec::new();
        for c in 0..shape.channels {
            let padded = |y: usize, x: usize| {
                let inside = (PAD..PAD + h).contains(&y) && (PAD..PAD + w).contains(&x);
                if inside { image[(c * h + y - PAD) * w + x - PAD] } else { 0 }
            };
            for y in 0..h {
                for x in 0..w {
                    let x = if flip { w - 1 - x } else { x };
                    out.push(scale.channel(c)[usize::from(padded(y + top as usize, x + left as usize))]);
                }
            }
        }
        out
    }

    proptest! {
        #[test]
        fn a_crop_is_the_window_of_the_padded_image(
            (channels, height, width) in (1usize..4, 1usize..12, 1usize..12),
            (top, left, flip) in (0u8..=8, 0u8..=8, any::<bool>()),
            seed in any::<u8>(),
        ) {
            let shape = ImageShape { channels, height, width };
            let image: Vec<u8> =
                (0..shape.len()).map(|i| (i as u8).wrapping_mul(37).wrapping_add(seed) | 1).collect();
            let scale = Scale::new(255.0, &[(0.5, 0.25), (0.4, 0.3), (0.1, 0.2)][..channels]);
            let view = View::Crop { top, left, flip };
            let mut row = vec![f32::NAN; shape.len()];
            write(&image, shape, &scale, view, &mut row);
            prop_assert_eq!(row, slow(&image, shape, &scale, view));
        }
    }

    #[test]
    fn the_centre_crop_is_the_plain_image() {
        let shape = ImageShape { channels: 3, height: 32, width: 32 };
        let image: Vec<u8> = (0..shape.len()).map(|i| (i * 31) as u8).collect();
        let scale = Scale::new(255.0, &[(0.5, 0.25); 3]);
        let mut plain = vec![0.0; shape.len()];
        let mut crop = vec![1.0; shape.len()];
        write(&image, shape, &scale, View::Plain, &mut plain);
        write(&image, shape, &scale, View::Crop { top: 4, left: 4, flip: false }, &mut crop);
        assert_eq!(plain, crop);
    }
}
