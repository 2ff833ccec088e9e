//! The linear-quadratic system: fixed dynamics and an exactly known costate.
//!
//! h_{l+1} = A_l h_l + noise, and the cost ½‖C h_L − y‖² has e_T = C h_L − y; λ_L = Cᵀ e_T, λ_l = A_lᵀ λ_{l+1}. Its "logits"
//! are C h_L − y, and p_l is the costate. A sample's input consists of h_0, y and the noise of every step.

mod difference;
mod layout;
mod network;
mod spec;

pub use layout::Lq;
pub(crate) use network::LqTape;
pub use spec::LqSpec;
