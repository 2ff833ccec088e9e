//! Loops over rows of channels for BatchNorm and the ReLU after it, forward and backward.
//!
//! A row is a position, a column a channel; there is one coefficient per channel. The caller keeps the statistics. Columns
//! are processed one panel at a time, so that their coefficients and sums stay in registers over all rows. A sum adds its
//! rows in memory order, whatever the width of the machine's vectors.

/// Calls a loop for each panel of columns, then column by column for the rest.
macro_rules! by_panels {
    ($cols:expr, $name:ident($($arg:expr),*)) => {
        let cols = $cols;
        for col in (0..cols - cols % PANEL).step_by(PANEL) {
            $name::<T, PANEL>($($arg,)* col);
        }
        for col in cols - cols % PANEL..cols {
            $name::<T, 1>($($arg,)* col);
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
