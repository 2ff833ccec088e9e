//! Number types, matrix products, fused loops and random streams. Nothing here knows about learning.
//!
//! Matrices are plain slices, row by row or, for weights, in panels. Every product goes through one kernel; every other
//! loop is fused with its neighbours and compiled for the vector instructions found at run time.

mod activation;
mod adamw;
mod batch_norm;
mod difference;
mod epilogue;
mod float;
mod gradient;
mod gradient_sink;
#[cfg(target_arch = "x86_64")]
mod instructions;
mod kernel;
mod loss;
mod matmul;
mod norm;
mod peak;
pub mod random;
mod rms;
mod rowwise;
mod simd;
mod threads;

pub use activation::{Activated, Phi, Sloped};
pub use adamw::{AdamW, Step};
pub use batch_norm::{
    Moments, NormSlope, Normed, norm_input_grad, norm_relu, norm_relu_input_grad, norm_residual, norm_sums,
};
pub use difference::{
    CrossEntropyAt, PhiAt, PhiShift, Shifted, Sides, half_square_shift, layer_norm_shift, relu_shift,
    softmax_shift,
};
pub use epilogue::{Added, Biased, Epilogue, Residual, Window};
pub use float::Float;
pub use gradient::{NormedGradient, Summed, WeightGradient, col_sums};
pub use gradient_sink::GradientSink;
pub use loss::{half_square, softmax_cross_entropy};
pub use matmul::{Mat, PANEL, Panels, Right, in_panels, matmul, product};
pub use norm::{add_layer_norm_input_grad, layer_norm, layer_norm_input_grad};
pub use peak::fma_burst;
pub use rms::{rms_factor, rms_normalise, sum_of_squares};
pub use rowwise::{add_scaled, softmax, softmax_input_grad};
pub use threads::side_by_side;
