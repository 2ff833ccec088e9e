//! Weight gradients as epilogues of their products: block by block into a [`GradientSink`].

use crate::simd::vectorised;
use crate::{Epilogue, Float, GradientSink, PANEL, add_scaled, in_panels};
use std::ops::Range;

/// The gradient of a weight W, (inputs, outputs) in panels.
#[derive(Debug)]
pub struct WeightGradient<'a, T> {
    /// Inputs.
    pub rows: usize,
    /// Outputs.
    pub cols: usize,
    /// Factor of the product.
    pub scale: T,
    /// Where the gradient goes.
    pub sink: GradientSink<'a, T>,
}

impl<T: Float> WeightGradient<'_, T> {
    /// Settles a block panel by panel. `work` gets the panel's first column, its values and its weights, and turns the values
    /// into the gradient.
    fn settle(
        &mut self,
        rows: &Range<usize>,
        cols: &Range<usize>,
        values: &mut [T],
        mut work: impl FnMut(usize, &mut [T], &[T]),
    ) {
        for (values, col) in values.chunks_mut(PANEL * rows.len()).zip(cols.clone().step_by(PANEL)) {
            let start = in_panels(self.rows, self.cols, rows.start, col);
            work(col, values, &self.sink.params()[start..start + values.len()]);
            self.sink.settle_at(start, values);
        }
    }
}

impl<T: Float> Epilogue<T> for WeightGradient<'_, T> {
    const IN_BLOCKS: bool = true;

    #[inline(always)]
    fn soon(&self, row: usize, col: usize) {
        self.sink.soon(in_panels(self.rows, self.cols, row, col));
    }

    fn block(&mut self, rows: Range<usize>, cols: Range<usize>, values: &mut [T]) {
        let scale = self.scale;
        self.settle(&rows, &cols, values, |_, values, _| multiply(values, scale));
    }
}

/// The gradients of a weight that reads a LayerNorm, x̂·γ + β, and of γ and β, from the product M = x̂ᵀs alone:
/// dW = diag(γ)·M + β·dbᵀ, dγ = Σ_o W∘M and dβ = W·db. No product with Wᵀ is needed for γ and β.
#[derive(Debug)]
pub struct NormedGradient<'a, T> {
    /// The weight's gradient.
    pub weight: WeightGradient<'a, T>,
    /// γ, one per row.
    pub gain: &'a [T],
    /// β, one per row.
    pub shift: &'a [T],
    /// db: the gradient of the layer's bias, one per column.
    pub bias: &'a [T],
    sums: Vec<[[T; PANEL]; 2]>,
}

impl<'a, T: Float> NormedGradient<'a, T> {
    /// Starts with sums of 0.
    pub fn new(weight: WeightGradient<'a, T>, gain: &'a [T], shift: &'a [T], bias: &'a [T]) -> Self {
        Self { weight, sums: vec![[[T::ZERO; PANEL]; 2]; gain.len()], gain, shift, bias }
    }

    /// dγ and dβ, after the product.
    pub fn finish(self) -> (Vec<T>, Vec<T>) {
        let sum = |lanes: &[T; PANEL]| lanes.iter().fold(T::ZERO, |sum, &x| sum + x);
        self.sums.iter().map(|[gain, shift]| (sum(gain), sum(shift))).unzip()
    }
}

impl<T: Float> Epilogue<T> for NormedGradient<'_, T> {
    const IN_BLOCKS: bool = true;

    #[inline(always)]
    fn soon(&self, row: usize, col: usize) {
        self.weight.soon(row, col);
    }

    fn block(&mut self, rows: Range<usize>, cols: Range<usize>, values: &mut [T]) {
        let scale = self.weight.scale;
        let gain = &self.gain[rows.clone()];
        let shift = &self.shift[rows.clone()];
        let sums = &mut self.sums[rows.clone()];
        self.weight.settle(&rows, &cols, values, |col, values, weight| {
            multiply(values, scale);
            through_norm(values, weight, gain, shift, &self.bias[col..][..values.len() / rows.len()], sums);
        });
    }
}

/// Adds a product to a matrix in panels: a gradient whose samples arrive a few at a time.
#[derive(Debug)]
pub struct Summed<'a, T> {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// The sum so far.
    pub sum: &'a mut [T],
}

impl<T: Float> Epilogue<T> for Summed<'_, T> {
    const IN_BLOCKS: bool = true;

    fn block(&mut self, rows: Range<usize>, cols: Range<usize>, values: &mut [T]) {
        for (values, col) in values.chunks(PANEL * rows.len()).zip(cols.step_by(PANEL)) {
            let start = in_panels(self.rows, self.cols, rows.start, col);
            add_scaled(&mut self.sum[start..start + values.len()], T::ONE, values);
        }
    }
}

vectorised! {
    fn multiply<T: Float>(values: &mut [T], factor: T) {
        for value in values {
            *value *= factor;
        }
    }
}

vectorised! {
    /// Turns rows of M, in a panel, into rows of dW, and adds their terms to the sums of dγ and dβ.
    fn through_norm<T: Float>(
        values: &mut [T],
        weight: &[T],
        gain: &[T],
        shift: &[T],
        bias: &[T],
        sums: &mut [[[T; PANEL]; 2]],
    ) {
        let wide = bias.len();
        let rows = values.chunks_exact_mut(wide).zip(weight.chunks_exact(wide)).zip(sums);
        for (((values, weight), [of_gain, of_shift]), (&gain, &shift)) in rows.zip(gain.iter().zip(shift)) {
            let row = |n: usize, values: &mut [T], weight: &[T], of_gain: &mut [T], of_shift: &mut [T]| {
                for i in 0..n {
                    of_gain[i] = weight[i].mul_add(values[i], of_gain[i]);
                    of_shift[i] = weight[i].mul_add(bias[i], of_shift[i]);
                    values[i] = gain.mul_add(values[i], shift * bias[i]);
                }
            };
            // A separate call, so that the compiler knows the length.
            if wide == PANEL {
                row(PANEL, &mut values[..PANEL], &weight[..PANEL], &mut of_gain[..], &mut of_shift[..]);
            } else {
                row(wide, values, weight, &mut of_gain[..], &mut of_shift[..]);
            }
        }
    }
}

vectorised! {
    /// `out = scale ·` the sum of the rows of all parts.
    pub fn col_sums<T: Float>(parts: &[&[T]], scale: T, out: &mut [T]) {
        let d = out.len();
        out.fill(T::ZERO);
        for row in parts.iter().flat_map(|rows| rows.chunks_exact(d)) {
            let row = &row[..d];
            for i in 0..d {
                out[i] += row[i];
            }
        }
        for value in out {
            *value *= scale;
        }
    }
}
