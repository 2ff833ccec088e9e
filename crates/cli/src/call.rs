//! One call of the program.

use crate::args::Verbosity;
use lab::Interrupt;
use std::ffi::OsString;

/// How much a call says, who may stop it, and the words that it was made with.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) verbosity: Verbosity,
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) words: &'a [OsString],
}
