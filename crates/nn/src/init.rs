//! Initial parameters, by the role of each tensor.

use crate::{Layout, Role, Tensor};
use tensor::random::{Purpose, Stream};
use tensor::{Float, in_panels};

/// Standard deviation of class token and positions, as is usual for transformers: far below a patch's embedding, so that
/// positions do not dominate the image.
const TOKEN_STD: f64 = 0.02;

/// Scale of the norm that ends the branch of a block with a skip connection.
///
/// Like the small last weight of the perceptron, it lets the stream start near the identity. Other implementations often
/// use 0: then the convolutions of the branch would get no signal in the first step under any rule, and an audit at
/// initialisation would have nothing to measure.
const LAST_SCALE: f64 = 0.2;

/// A linear layer's weight and bias are uniform in ±1/√fan_in, as in PyTorch; a weight that ends a branch is normal and its
/// bias 0; convolutions are normal with variance 2/fan_out (He and others, 2015), as is usual before a BatchNorm and a
/// ReLU; norms are the identity, except those that end a branch.
///
/// Drawn in f64, so f32 and f64 start at the same point up to rounding; tensor by tensor, a weight input by input.
pub(crate) fn initial<T: Float>(layout: &Layout, seed: u64) -> Vec<T> {
    let mut stream = Stream::new(seed, Purpose::Init);
    let mut params = vec![T::ZERO; layout.len()];
    // A bias follows its weight and has the same bound.
    let mut bound = 0.0;
    for tensor in layout.tensors() {
        let values = &mut params[tensor.range.clone()];
        match tensor.role {
            Role::Weight => {
                bound = 1.0 / (inputs(tensor) as f64).sqrt();
                fill(tensor, values, || bound * (2.0 * stream.uniform() - 1.0));
            }
            Role::Bias => fill(tensor, values, || bound * (2.0 * stream.uniform() - 1.0)),
            Role::LastWeight { std } => fill(tensor, values, || std * stream.normal()),
            Role::Kernel => {
                let area: usize = tensor.shape[2..].iter().product();
                let std = (2.0 / (tensor.shape[0] * area) as f64).sqrt();
                fill(tensor, values, || std * stream.normal());
            }
            Role::Token => fill(tensor, values, || TOKEN_STD * stream.normal()),
            Role::Scale | Role::RunningVariance => values.fill(T::ONE),
            Role::LastScale => values.fill(T::of(LAST_SCALE)),
            Role::LastBias | Role::Shift | Role::RunningMean | Role::Given => values.fill(T::ZERO),
        }
    }
    params
}

fn inputs(weight: &Tensor) -> usize {
    weight.shape[1..].iter().product()
}

fn fill<T: Float>(tensor: &Tensor, values: &mut [T], mut draw: impl FnMut() -> f64) {
    if !tensor.is_matrix() {
        return values.fill_with(|| T::of(draw()));
    }
    let inputs = inputs(tensor);
    let outputs = tensor.shape[0];
    for input in 0..inputs {
        for output in 0..outputs {
            values[in_panels(inputs, outputs, input, output)] = T::of(draw());
        }
    }
}
