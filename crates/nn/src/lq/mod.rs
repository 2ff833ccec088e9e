//! The linear-quadratic system: dynamics that are given, not learned, and a costate that is known exactly.
//!
//! h_{l+1} = A_l h_l + noise, and the cost ½‖C h_L − y‖² has e_T = C h_L − y; λ_L = Cᵀ e_T, λ_l = A_lᵀ λ_{l+1}. What other networks
//! call logits is C h_L − y here, and p_l is the costate. A sample's input holds h_0, y, and the noise of every step.

mod network;
mod spec;

pub use network::LqTape;
pub use spec::{Lq, LqSpec};
