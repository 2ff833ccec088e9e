//! Initial parameters.

use super::Mlp;
use tensor::random::{Purpose, Stream};
use tensor::{Float, in_panels};

impl Mlp {
    /// W2 is normal with standard deviation `w2_std` and its bias 0; LayerNorms are the identity; every other weight
    /// and bias is uniform in ±1/√fan_in. Drawn in f64, so f32 and f64 start at the same point but for rounding; tensor
    /// by tensor, a weight input by input.
    pub(super) fn draw<T: Float>(&self, seed: u64) -> Vec<T> {
        let mut stream = Stream::new(seed, Purpose::Init);
        let mut params = vec![T::ZERO; self.layout.len()];
        for tensor in self.layout.tensors() {
            let values = &mut params[tensor.range.clone()];
            let mut fill = |draw: &mut dyn FnMut() -> f64| match tensor.shape[..] {
                [outputs, inputs] => {
                    for input in 0..inputs {
                        for output in 0..outputs {
                            values[in_panels(inputs, outputs, input, output)] = T::of(draw());
                        }
                    }
                }
                _ => values.fill_with(|| T::of(draw())),
            };
            let (module, kind) = tensor.name.rsplit_once('.').unwrap_or(("", &tensor.name));
            let is = |name: &str| module == name || module.ends_with(&format!(".{name}"));
            if is("ln") || is("out_ln") {
                fill(&mut || if kind == "weight" { 1.0 } else { 0.0 });
            } else if is("w2") {
                if kind == "weight" {
                    fill(&mut || self.spec.w2_std * stream.normal());
                }
            } else {
                let fan_in = if is("embed") { self.spec.inputs } else { self.spec.d };
                let bound = 1.0 / (fan_in as f64).sqrt();
                fill(&mut || bound * (2.0 * stream.uniform() - 1.0));
            }
        }
        params
    }
}
