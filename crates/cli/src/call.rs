//! One call of the program.

use crate::args::Verbosity;
use lab::Interrupt;
use std::ffi::OsString;
use std::process::Command;

/// How much a call says, who may stop it, and the words that it was made with.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) verbosity: Verbosity,
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) words: &'a [OsString],
    pub(crate) host: Host<'a>,
}

/// The process that a call is made in.
#[derive(Clone, Copy)]
pub(crate) enum Host<'a> {
    /// The program itself.
    Program,
    /// Another one, such as Python, in which these words start the program: `python -m creditscope`.
    Other(&'a [OsString]),
}

impl Host<'_> {
    /// The program as a process of its own, to which words are added.
    pub(crate) fn command(self) -> std::io::Result<Command> {
        match self {
            Self::Other([program, words @ ..]) => {
                let mut command = Command::new(program);
                command.args(words);
                Ok(command)
            }
            _ => Ok(Command::new(std::env::current_exe()?)),
        }
    }
}
