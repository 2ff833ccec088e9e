//! Initial parameters.

use super::Mlp;
use tensor::Float;
use tensor::random::{Purpose, Stream};

impl Mlp {
    /// W2 is normal with standard deviation `w2_std` and its bias 0; LayerNorms are the identity; every other weight
    /// and bias is uniform in ±1/√fan_in. Drawn in f64 in memory order, so f32 and f64 start at the same point but
    /// for rounding.
    pub(super) fn draw<T: Float>(&self, seed: u64) -> Vec<T> {
        let mut stream = Stream::new(seed, Purpose::Init);
        let mut params = vec![T::ZERO; self.layout.len()];
        for tensor in self.layout.tensors() {
            let values = &mut params[tensor.range.clone()];
            let (module, kind) = tensor.name.rsplit_once('.').unwrap_or(("", &tensor.name));
            let is = |name: &str| module == name || module.ends_with(&format!(".{name}"));
            if is("ln") || is("out_ln") {
                values.fill(if kind == "weight" { T::ONE } else { T::ZERO });
            } else if is("w2") {
                if kind == "weight" {
                    values.fill_with(|| T::of(self.spec.w2_std * stream.normal()));
                }
            } else {
                let fan_in = if is("embed") { self.spec.inputs } else { self.spec.d };
                let bound = 1.0 / (fan_in as f64).sqrt();
                values.fill_with(|| T::of(bound * (2.0 * stream.uniform() - 1.0)));
            }
        }
        params
    }
}
