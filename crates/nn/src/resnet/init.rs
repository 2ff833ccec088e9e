//! Initial parameters.

use super::Resnet;
use tensor::random::{Purpose, Stream};
use tensor::{Float, in_panels};

/// Weight of the BatchNorm that ends the branch of a block with a skip connection.
///
/// Like the small W2 of the perceptron it lets the stream start near the identity. It is not 0, as it often is elsewhere:
/// then the convolutions of the branch would get no signal in the first step, whatever the rule, and a measurement at the
/// start would find nothing to measure.
const BRANCH: f64 = 0.2;

impl Resnet {
    /// Convolutions are normal with variance 2/fan_out (He and others, 2015), as is usual in front of a BatchNorm and a
    /// ReLU; the head is uniform in ±1/√fan_in. BatchNorms are the identity but for those that end a branch beside a skip
    /// connection; running means are 0, variances 1. Drawn in f64, so f32 and f64 start at the same point but for rounding;
    /// tensor by tensor, a weight input by input.
    pub(super) fn draw<T: Float>(&self, seed: u64) -> Vec<T> {
        let mut stream = Stream::new(seed, Purpose::Init);
        let mut params = vec![T::ZERO; self.layout.len()];
        for conv in self.convs() {
            let fan_out = conv.outputs() * conv.window.kernel * conv.window.kernel;
            let std = (2.0 / fan_out as f64).sqrt();
            let values = &mut params[conv.weight.clone()];
            fill(values, conv.window.inputs(), conv.outputs(), || std * stream.normal());
            params[conv.norm.weight.clone()].fill(T::ONE);
            params[conv.variance.clone()].fill(T::ONE);
        }
        for block in self.blocks.iter().filter(|block| block.short.is_none()) {
            params[block.second.norm.weight.clone()].fill(T::of(BRANCH));
        }
        let (inputs, outputs) = (self.out_head.inputs(), self.out_head.outputs());
        let bound = 1.0 / (inputs as f64).sqrt();
        let mut draw = || bound * (2.0 * stream.uniform() - 1.0);
        fill(&mut params[self.out_head.weight.clone()], inputs, outputs, &mut draw);
        params[self.out_head.bias.clone()].fill_with(|| T::of(draw()));
        params
    }
}

fn fill<T: Float>(values: &mut [T], inputs: usize, outputs: usize, mut draw: impl FnMut() -> f64) {
    for input in 0..inputs {
        for output in 0..outputs {
            values[in_panels(inputs, outputs, input, output)] = T::of(draw());
        }
    }
}
