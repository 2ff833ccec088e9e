//! The matrices that carry credit down through a block in place of its weights.

use super::arithmetic::Arithmetic;
use super::matrix::Matrix;
use super::weights::Block;

/// R1 and R2, which replace W1 and W2 on the way down.
#[derive(Clone, Debug)]
pub(super) struct Carrier {
    pub(super) r1: Matrix,
    pub(super) r2: Matrix,
}

impl Carrier {
    /// Sign symmetry: R = mean|W|·sign(W).
    pub(super) fn of_signs(block: &Block) -> Self {
        let signs = |matrix: &Matrix| {
            let mean = matrix.values.iter().map(|w| w.abs()).sum::<f64>() / matrix.values.len() as f64;
            let sign = |w: &f64| if *w == 0.0 { 0.0 } else { mean.copysign(*w) };
            Matrix { values: matrix.values.iter().map(sign).collect(), ..*matrix }
        };
        Self { r1: signs(&block.w1.weight), r2: signs(&block.w2.weight) }
    }

    /// Kolen–Pollack: R = W + D.
    pub(super) fn of_differences(block: &Block, d1: Matrix, d2: Matrix) -> Self {
        let sum = |mut d: Matrix, w: &Matrix| {
            d.values.iter_mut().zip(&w.values).for_each(|(d, w)| *d += w);
            d
        };
        Self { r1: sum(d1, &block.w1.weight), r2: sum(d2, &block.w2.weight) }
    }

    /// Both matrices transposed, for a hypothesis.
    pub(super) fn transposed(&self) -> Self {
        Self { r1: self.r1.transposed(), r2: self.r2.transposed() }
    }

    /// Rounds the matrices, see [`Matrix::round`].
    pub(super) fn round(&mut self, arithmetic: &mut Arithmetic) {
        self.r1.round(arithmetic);
        self.r2.round(arithmetic);
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::Linear;
    use super::*;

    #[test]
    fn both_kinds_by_hand() {
        let matrix = |values: [f64; 4]| Matrix { rows: 2, cols: 2, values: values.to_vec() };
        let linear = |values| Linear { weight: matrix(values), bias: vec![0.0; 2] };
        let block =
            Block { ln: None, w1: linear([1.0, -2.0, 0.0, 5.0]), w2: linear([-1.0, -1.0, 1.0, -1.0]) };
        let signs = Carrier::of_signs(&block);
        assert_eq!(signs.r1.values, [2.0, -2.0, 0.0, 2.0]);
        assert_eq!(signs.r2.values, [-1.0, -1.0, 1.0, -1.0]);
        assert_eq!(signs.transposed().r2.values, [-1.0, 1.0, -1.0, -1.0]);
        let shifted = Carrier::of_differences(&block, matrix([0.5; 4]), matrix([0.0, 1.0, 0.0, 1.0]));
        assert_eq!(shifted.r1.values, [1.5, -1.5, 0.5, 5.5]);
        assert_eq!(shifted.r2.values, [-1.0, 0.0, 1.0, 0.0]);
    }
}
