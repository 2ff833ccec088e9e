//! Loops over rows of channels, as BatchNorm and the ReLU behind it need them, forward and backward.
//!
//! A row is a position, a column a channel; every coefficient is one per channel. The statistics themselves are few numbers
//! and belong to the caller. Columns are worked on a panel at a time: their coefficients and sums then stay in registers
//! while the rows pass by. A sum adds its rows in the order of memory, whatever the machine's vectors hold.

/// Calls a loop for each panel of columns, and column by column for what is left.
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
