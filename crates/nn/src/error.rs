//! Errors in the description of a network, and the checks that all descriptions share.

/// An error in the description of a network.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A size that no network can have.
    #[error("{what} is {value}: it must be at least {least}")]
    TooSmall {
        /// Which size.
        what: &'static str,
        /// What was asked for.
        value: usize,
        /// The smallest that works.
        least: usize,
    },
    /// A size that another does not divide.
    #[error("{what} is {value}: it must be a multiple of {by}, which is {divisor}")]
    Indivisible {
        /// Which size.
        what: &'static str,
        /// What was asked for.
        value: usize,
        /// Which other size.
        by: &'static str,
        /// Its value.
        divisor: usize,
    },
    /// Images that are not square.
    #[error("height is {height} and width {width}: images must be square")]
    NotSquare {
        /// Rows of pixels.
        height: usize,
        /// Columns of pixels.
        width: usize,
    },
    /// A number outside the range where the definition holds.
    #[error("{what} is {value}: it must be in {range}")]
    OutOfRange {
        /// Which number.
        what: &'static str,
        /// What was asked for.
        value: f64,
        /// The range allowed.
        range: &'static str,
    },
    /// More parameters than fit into memory.
    #[error(
        "the network would have more than {limit} parameters: choose a smaller d, fewer blocks or inputs"
    )]
    TooLarge {
        /// The most that is allowed.
        limit: usize,
    },
}

/// The most parameters, or values of an input.
const MOST_VALUES: usize = 1 << 32;

/// Refuses sizes below their minimum; each comes as (name, value, minimum).
pub(crate) fn check_least(sizes: &[(&'static str, usize, usize)]) -> Result<(), Error> {
    match sizes.iter().find(|(_, value, least)| value < least) {
        Some(&(what, value, least)) => Err(Error::TooSmall { what, value, least }),
        None => Ok(()),
    }
}

/// Refuses too many values. Their number is an f64, which does not overflow.
pub(crate) fn check_most(values: f64) -> Result<(), Error> {
    if values > MOST_VALUES as f64 { Err(Error::TooLarge { limit: MOST_VALUES }) } else { Ok(()) }
}
