//! A reader for the pickles that CIFAR comes in, which runs nothing.
//!
//! A pickle is a program for a small stack machine, and Python's own reader lets it call any function. This one
//! knows the instructions that dictionaries, lists, numbers, strings and NumPy arrays need, treats the handful of
//! NumPy constructors as words with a fixed meaning, and refuses every other name. Strings are never copied: a value
//! is the place where its bytes lie in the file, so memory stays small whatever a file claims about its lengths.

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
pub(crate) enum Fault {
    /// The file could not be read.
    Io(std::io::Error),
    /// It asks for a Python object that data does not need.
    Refused(String),
    /// It is not a pickle, or not one of the kind that holds a batch of images.
    Malformed {
        /// The byte at which the reader stood.
        at: u64,
        /// What it met there.
        what: String,
    },
}
