//! The ground floor: numbers, products, fused loops and random streams. It knows nothing of learning.
//!
//! Matrices are plain row-major slices. Every matrix product goes through [`matmul`]; every other loop is fused with
//! its neighbours and compiled for the vector instructions found at run time.

mod adamw;
mod float;
mod matmul;
mod norm;
mod peak;
pub mod random;
mod rowwise;
mod simd;

pub use adamw::AdamW;
pub use float::Float;
pub use matmul::{Mat, matmul};
pub use norm::{layer_norm, layer_norm_input_grad, layer_norm_param_grad, rms_normalise};
pub use peak::fma_burst;
pub use rowwise::{
    add_bias, add_scaled, bias_blend, bias_gelu, bias_residual, col_sums, multiply, softmax_cross_entropy,
};
