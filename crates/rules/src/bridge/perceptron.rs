//! A perceptron with two hidden layers: forward pass, backward pass, parameter gradient.

use std::ops::Range;
use tensor::random::Stream;
use tensor::{
    Activated, Biased, Float, GradientSink, Mat, Panels, Phi, Right, Sloped, WeightGradient, col_sums,
    in_panels, matmul, product,
};

/// Layer sizes. All parameters are in one flat vector, layer by layer: the weight (inputs, outputs) in panels, then the bias.
#[derive(Clone, Debug)]
pub(crate) struct Perceptron<T> {
    sizes: [usize; 4],
    phi: Phi<T>,
}

/// What a forward pass saves for the backward pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept<T> {
    /// Output of each hidden layer.
    pub(crate) act: [Vec<T>; 2],
    /// Derivative of the nonlinearity in each hidden layer.
    pub(crate) slope: [Vec<T>; 2],
    pub(crate) out: Vec<T>,
}

/// Inputs and signals of one layer. Their products add up to the weight's gradient; the sum of `bias` is the bias's gradient.
#[derive(Debug)]
pub(crate) struct Sides<'a, T> {
    pub(crate) weight: Vec<(&'a [T], &'a [T])>,
    pub(crate) bias: Vec<&'a [T]>,
}

/// Resizes a buffer; the caller overwrites its contents.
pub(crate) fn sized<T: Float>(buffer: &mut Vec<T>, length: usize) -> &mut [T] {
    buffer.resize(length, T::ZERO);
    buffer
}

impl<T: Float> Perceptron<T> {
    pub(crate) fn new(inputs: usize, width: usize, outputs: usize, phi: Phi<T>) -> Self {
        Self { sizes: [inputs, width, width, outputs], phi }
    }

    /// Number of parameters.
    pub(crate) fn len(&self) -> usize {
        self.place(2).end
    }

    /// Number of outputs.
    pub(crate) fn outputs(&self) -> usize {
        self.sizes[3]
    }

    /// Number of inputs and outputs of a layer.
    fn size(&self, layer: usize) -> (usize, usize) {
        (self.sizes[layer], self.sizes[layer + 1])
    }

    fn place(&self, layer: usize) -> Range<usize> {
        let of = |layer: usize| (self.sizes[layer] + 1) * self.sizes[layer + 1];
        let start = (0..layer).map(of).sum();
        start..start + of(layer)
    }

    fn weight<'a>(&self, params: &'a [T], layer: usize) -> Panels<'a, T> {
        let (inputs, outputs) = self.size(layer);
        let place = self.place(layer);
        Panels::new(&params[place.start..place.end - outputs], inputs, outputs)
    }

    fn bias<'a>(&self, params: &'a [T], layer: usize) -> &'a [T] {
        let place = self.place(layer);
        &params[place.end - self.size(layer).1..place.end]
    }

    /// Draws weights and biases, uniform in ±1/√fan_in.
    pub(crate) fn draw(&self, stream: &mut Stream) -> Vec<T> {
        let mut params = vec![T::ZERO; self.len()];
        for layer in 0..3 {
            let (inputs, outputs) = self.size(layer);
            let place = self.place(layer);
            let bound = 1.0 / (inputs as f64).sqrt();
            let mut draw = || T::of(bound * (2.0 * stream.uniform() - 1.0));
            let own = &mut params[place];
            for input in 0..inputs {
                for output in 0..outputs {
                    own[in_panels(inputs, outputs, input, output)] = draw();
                }
            }
            own[inputs * outputs..].fill_with(draw);
        }
        params
    }

    /// Sets the weights and biases of these outputs to 0.
    pub(crate) fn silence(&self, params: &mut [T], outputs: Range<usize>) {
        let (width, all) = self.size(2);
        let place = self.place(2);
        let last = &mut params[place];
        for output in outputs {
            (0..width).for_each(|input| last[in_panels(width, all, input, output)] = T::ZERO);
            last[width * all + output] = T::ZERO;
        }
    }

    /// z = x·W + b for one layer.
    pub(crate) fn before(&self, params: &[T], layer: usize, x: &[T], out: &mut Vec<T>) {
        let (inputs, outputs) = self.size(layer);
        let rows = x.len() / inputs;
        let weight = Right::Panels(self.weight(params, layer));
        let mut finish = Biased { bias: self.bias(params, layer), out: sized(out, rows * outputs) };
        product(&[Mat::new(x, rows, inputs)], &[weight], &mut finish);
    }

    /// x·W for one layer, without the bias.
    pub(crate) fn through(&self, params: &[T], layer: usize, x: &[T], out: &mut Vec<T>) {
        let (inputs, outputs) = self.size(layer);
        let rows = x.len() / inputs;
        let weight = Right::Panels(self.weight(params, layer));
        matmul(sized(out, rows * outputs), T::ONE, Mat::new(x, rows, inputs), weight);
    }

    /// s·Wᵀ for one layer.
    pub(crate) fn back(&self, params: &[T], layer: usize, signal: &[T], out: &mut Vec<T>) {
        let (inputs, outputs) = self.size(layer);
        let rows = signal.len() / outputs;
        let weight = Right::Transposed(self.weight(params, layer));
        matmul(sized(out, rows * inputs), T::ONE, Mat::new(signal, rows, outputs), weight);
    }

    pub(crate) fn forward(&self, params: &[T], x: &[T], kept: &mut Kept<T>) {
        let rows = x.len() / self.sizes[0];
        let weight = |layer: usize| [Right::Panels(self.weight(params, layer))];
        let bias = |layer: usize| self.bias(params, layer);
        let phi = self.phi;
        let length = |layer: usize| rows * self.sizes[layer];
        let Kept { act: [first, second], slope: [slope1, slope2], out } = kept;
        let act = sized(first, length(1));
        let slope = sized(slope1, length(1));
        let mut finish = Activated { bias: bias(0), phi, act, slope };
        product(&[Mat::new(x, rows, self.sizes[0])], &weight(0), &mut finish);
        let act = sized(second, length(2));
        let slope = sized(slope2, length(2));
        let mut finish = Activated { bias: bias(1), phi, act, slope };
        product(&[Mat::new(first, rows, self.sizes[1])], &weight(1), &mut finish);
        let mut finish = Biased { bias: bias(2), out: sized(out, length(3)) };
        product(&[Mat::new(second, rows, self.sizes[2])], &weight(2), &mut finish);
    }

    /// From the signal at the output to the signals at both hidden layers, before their nonlinearity.
    pub(crate) fn signals(&self, params: &[T], kept: &Kept<T>, at_out: &[T], signals: &mut [Vec<T>; 2]) {
        let [first, second] = signals;
        self.down(params, 1, kept, at_out, second);
        self.down(params, 0, kept, second, first);
    }

    fn down(&self, params: &[T], layer: usize, kept: &Kept<T>, above: &[T], out: &mut Vec<T>) {
        let (inputs, outputs) = self.size(layer + 1);
        let rows = above.len() / outputs;
        let weight = Right::Transposed(self.weight(params, layer + 1));
        let slope = &kept.slope[layer][..];
        let out = sized(out, rows * inputs);
        product(&[Mat::new(above, rows, outputs)], &[weight], &mut Sloped { stride: inputs, slope, out });
    }

    /// The gradient of all parameters: for each layer the sum over its sides, times `scale`.
    pub(crate) fn gradient(&self, params: &[T], sides: [Sides<'_, T>; 3], scale: T, gradient: &mut [T]) {
        for (layer, sides) in sides.into_iter().enumerate() {
            let (inputs, outputs) = self.size(layer);
            let place = self.place(layer);
            let middle = place.end - outputs;
            let left: Vec<_> =
                sides.weight.iter().map(|(x, _)| Mat::new(x, x.len() / inputs, inputs).t()).collect();
            let right: Vec<_> = sides
                .weight
                .iter()
                .map(|(_, s)| Right::Mat(Mat::new(s, s.len() / outputs, outputs)))
                .collect();
            let sink = GradientSink::Keep {
                params: &params[place.start..middle],
                into: &mut gradient[place.start..middle],
            };
            product(&left, &right, &mut WeightGradient { rows: inputs, cols: outputs, scale, sink });
            col_sums(&sides.bias, scale, &mut gradient[middle..place.end]);
        }
    }
}
