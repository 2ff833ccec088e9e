//! The net of a bridge: two hidden layers with GELU, read from training's flat vector.

use super::arithmetic::Arithmetic;
use super::layers::{activate, linear};
use super::matrix::Matrix;
use super::weights::{Activation, Linear};

/// Columns per panel. Training stores a weight (inputs × outputs) in consecutive panels of this many columns, each row by
/// row; the last one has the remaining columns.
const PANEL: usize = 16;

/// Its layers from the bottom.
#[derive(Clone, Debug)]
pub(super) struct Perceptron {
    layers: [Linear; 3],
}

/// What a forward pass keeps.
#[derive(Debug)]
pub(super) struct Passed {
    slopes: [Vec<f64>; 2],
    pub(super) out: Vec<f64>,
}

impl Perceptron {
    /// Reads the layers, each a weight in panels and then a bias. The width of the hidden layers follows from the number of
    /// values; none if no width fits.
    pub(super) fn read(flat: &[f64], inputs: usize, outputs: usize) -> Option<Self> {
        let length = |width: usize| (inputs + 1) * width + (width + 1) * width + (width + 1) * outputs;
        let width = (1..).take_while(|&width| length(width) <= flat.len()).last()?;
        if length(width) != flat.len() {
            return None;
        }
        let mut rest = flat;
        let layers = [(inputs, width), (width, width), (width, outputs)].map(|(inputs, outputs)| {
            let (weight, after) = rest.split_at(inputs * outputs);
            let (bias, after) = after.split_at(outputs);
            rest = after;
            Linear { weight: unpacked(weight, inputs, outputs), bias: bias.to_vec() }
        });
        Some(Self { layers })
    }

    /// The outputs of rows of inputs.
    pub(super) fn forward(&self, rows: &[f64], arithmetic: &mut Arithmetic) -> Passed {
        let mut hidden = |layer: &Linear, x: &[f64]| -> (Vec<f64>, Vec<f64>) {
            let z = linear(layer, x, arithmetic);
            z.iter().map(|&z| activate(Activation::Gelu, z, arithmetic)).unzip()
        };
        let [first, second, last] = &self.layers;
        let (act, slope) = hidden(first, rows);
        let (above, slope_above) = hidden(second, &act);
        Passed { slopes: [slope, slope_above], out: linear(last, &above, arithmetic) }
    }

    /// The signal at the inputs from that at the outputs.
    pub(super) fn down(&self, passed: &Passed, at_out: &[f64], arithmetic: &mut Arithmetic) -> Vec<f64> {
        let [first, second, last] = &self.layers;
        let mut s = at_out.to_vec();
        for (layer, slope) in [(last, &passed.slopes[1]), (second, &passed.slopes[0])] {
            s = layer.weight.apply_transposed(&s);
            s.iter_mut().zip(slope).for_each(|(s, slope)| *s = arithmetic.store(*s * slope, 1));
        }
        let mut s = first.weight.apply_transposed(&s);
        arithmetic.store_all(&mut s, 1);
        s
    }

    /// Rounds the weights, see [`Matrix::round`].
    pub(super) fn round(&mut self, arithmetic: &mut Arithmetic) {
        self.layers.iter_mut().for_each(|layer| layer.weight.round(arithmetic));
    }
}

/// A weight (outputs × inputs) from its panels.
fn unpacked(flat: &[f64], inputs: usize, outputs: usize) -> Matrix {
    let value = |i: usize| {
        let output = i / inputs;
        let input = i % inputs;
        let first = output / PANEL * PANEL;
        flat[first * inputs + input * PANEL.min(outputs - first) + output - first]
    };
    Matrix { rows: outputs, cols: inputs, values: (0..flat.len()).map(value).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two inputs and 17 outputs: 16 columns row by row, then the last column.
    #[test]
    fn panels_by_hand() {
        let flat: Vec<f64> = (0..34).map(f64::from).collect();
        let matrix = unpacked(&flat, 2, 17);
        assert_eq!(matrix.values[..6], [0.0, 16.0, 1.0, 17.0, 2.0, 18.0]);
        assert_eq!(matrix.values[30..], [15.0, 31.0, 32.0, 33.0]);
    }

    #[test]
    fn the_width_is_read_off_the_length_or_there_is_none() {
        // (3 + 1)·5 + (5 + 1)·5 + (5 + 1)·2 = 62.
        let net = Perceptron::read(&[0.0; 62], 3, 2).expect("a width of 5");
        assert_eq!(net.layers.map(|layer| (layer.weight.rows, layer.weight.cols)), [(5, 3), (5, 5), (2, 5)]);
        for length in [0, 1, 61, 63] {
            assert!(Perceptron::read(&vec![0.0; length], 3, 2).is_none(), "{length}");
        }
    }

    #[test]
    fn the_way_down_is_the_slope_of_the_way_up() {
        let draw = |i: usize| ((i * i) as f64 * 0.37).sin();
        let flat: Vec<f64> = (0..(4 + 1) * 18 + 19 * 18 + 19 * 3).map(draw).collect();
        let net = Perceptron::read(&flat, 4, 3).expect("a width of 18");
        let exact = &mut Arithmetic::exact();
        let rows: Vec<f64> = (0..8).map(draw).collect();
        let at_out: Vec<f64> = (2..8).map(draw).collect();
        let down = net.down(&net.forward(&rows, exact), &at_out, exact);
        for i in 0..rows.len() {
            let mut along = |step: f64| -> f64 {
                let mut rows = rows.clone();
                rows[i] += step;
                net.forward(&rows, exact).out.iter().zip(&at_out).map(|(out, s)| out * s).sum()
            };
            let slope = (along(1e-5) - along(-1e-5)) / 2e-5;
            assert!((slope - down[i]).abs() < 1e-8 * (1.0 + slope.abs()), "{i}: {slope} {}", down[i]);
        }
    }
}
