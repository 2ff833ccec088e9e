//! A reader for CIFAR's pickles that runs no code.
//!
//! A pickle is a program for a small stack machine, and Python's own reader lets it call any function. This one
//! knows the instructions that dictionaries, lists, numbers, strings and NumPy arrays need, gives the handful of
//! NumPy constructors a fixed meaning, and refuses every other name. Strings are never copied: a value is a range of
//! the file, so memory stays small whatever lengths a file claims.

mod batch;
mod input;
mod machine;
mod numpy;
mod stack;
#[cfg(test)]
mod tests;
mod value;

pub(crate) use batch::open;

/// Why a pickle cannot be read.
#[derive(Debug)]
pub(crate) enum PickleFault {
    /// The file could not be read.
    Io(std::io::Error),
    /// It asks for a Python object that data does not need.
    Refused(String),
    /// It is not a pickle, or not one that holds a batch of images.
    Malformed {
        /// The position in the file.
        at: u64,
        /// What was found there.
        what: String,
    },
}
