//! Initial parameters.

use super::Vit;
use tensor::random::{Purpose, Stream};
use tensor::{Float, in_panels};

/// Standard deviation of class token and positions, customary for transformers: far below a patch's embedding, so that
/// an image is not drowned by where its patches lie.
const TOKEN_STD: f64 = 0.02;

impl Vit {
    /// Class token and positions are normal with a small deviation, which sets tokens apart from the start; LayerNorms are
    /// the identity; every linear layer's weight and bias is uniform in ±1/√fan_in, as in the other networks and as PyTorch
    /// has it. Drawn in f64, so f32 and f64 start at the same point but for rounding; tensor by tensor, a weight input by
    /// input.
    pub(super) fn draw<T: Float>(&self, seed: u64) -> Vec<T> {
        let mut stream = Stream::new(seed, Purpose::Init);
        let mut params = vec![T::ZERO; self.layout.len()];
        let mut bound = 0.0;
        for tensor in self.layout.tensors() {
            let values = &mut params[tensor.range.clone()];
            let module = tensor.name.trim_end_matches(".weight").trim_end_matches(".bias");
            let norm = module.rsplit('.').next().is_some_and(|last| last.contains("ln"));
            match tensor.shape[..] {
                [_, _, _] => values.fill_with(|| T::of(TOKEN_STD * stream.normal())),
                _ if norm => {
                    let one = if tensor.name.ends_with("weight") { T::ONE } else { T::ZERO };
                    values.fill(one);
                }
                [outputs, inputs] => {
                    bound = 1.0 / (inputs as f64).sqrt();
                    for input in 0..inputs {
                        for output in 0..outputs {
                            let value = bound * (2.0 * stream.uniform() - 1.0);
                            values[in_panels(inputs, outputs, input, output)] = T::of(value);
                        }
                    }
                }
                // A bias follows its weight, whose bound it shares.
                _ => values.fill_with(|| T::of(bound * (2.0 * stream.uniform() - 1.0))),
            }
        }
        params
    }
}
