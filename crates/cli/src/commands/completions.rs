//! `creditscope completions`.

use crate::args::Args;
use crate::failure::Failure;
use crate::show;
use clap::CommandFactory;
use clap_complete::Shell;

pub(crate) fn run(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "creditscope", &mut script);
    show::print(&String::from_utf8_lossy(&script));
    Ok(())
}
