//! Loops over rows of channels for BatchNorm and the ReLU after it, forward and backward.
//!
//! A row is a position, a column a channel; there is one coefficient per channel. The caller turns the statistics into coefficients
//! (divisors and epsilon are in `nn/src/resnet/batch_norm.rs`). Columns are processed one panel at a time, so that their coefficients and sums stay in registers over all rows. A sum adds its
//! rows in memory order, whatever the width of the machine's vectors.

/// Defines a [`vectorised`] loop whose body handles `N` columns from `col` on. It is run for each panel of columns, then
/// column by column for the rest.
macro_rules! by_panels {
    ($(#[$meta:meta])* $visible:vis fn $name:ident<T, N>($($arg:ident: $kind:ty),* $(,)?),
     $col:ident in 0..$cols:expr, $body:block) => {
        vectorised! {
            $(#[$meta])*
            $visible fn $name<T: Float>($($arg: $kind),*) {
                #[inline(always)]
                fn columns<T: Float, const N: usize>($($arg: $kind,)* $col: usize) $body
                let cols = $cols;
                for col in (0..cols - cols % PANEL).step_by(PANEL) {
                    columns::<T, PANEL>($($arg,)* col);
                }
                for col in cols - cols % PANEL..cols {
                    columns::<T, 1>($($arg,)* col);
                }
            }
        }
    };
}

mod moments;
mod normed;
mod signal;
#[cfg(test)]
mod tests;

pub use moments::Moments;
pub use normed::{Normed, norm_relu, norm_residual};
pub use signal::{NormSlope, norm_input_grad, norm_relu_input_grad, norm_sums};
