//! Images cut into patches, which become tokens.

use super::Vit;
use tensor::Float;

impl Vit {
    /// Cuts images into patches, from left to right and from top to bottom; a patch is stored channel by channel and row by
    /// row, in the order of a convolution's weight.
    pub(super) fn unfold<T: Float>(&self, x: &[T], unfolded: &mut [T]) {
        let spec = &self.spec;
        let side = spec.patch;
        let across = spec.width / side;
        let area = side * side;
        let size = spec.channels * area;
        let inputs = spec.channels * spec.height * spec.width;
        for (image, patches) in x.chunks_exact(inputs).zip(unfolded.chunks_exact_mut(inputs)) {
            for (i, row) in image.chunks_exact(spec.width).enumerate() {
                let channel = i / spec.height;
                let y = i % spec.height;
                for (column, pixels) in row.chunks_exact(side).enumerate() {
                    let patch = y / side * across + column;
                    let start = patch * size + channel * area + y % side * side;
                    patches[start..start + side].copy_from_slice(pixels);
                }
            }
        }
    }
}
