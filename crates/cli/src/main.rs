//! `creditscope`: parse, call, print.

mod args;
mod commands;
mod failure;
mod progress;
mod remedy;
mod show;

use args::{Args, Command};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    // A panic has said its words already; what is left is the exit code that the help promises.
    let outcome = std::panic::catch_unwind(|| run(args));
    match outcome.unwrap_or_else(|_| Err(Failure::Internal("a fault of the program, see above".to_owned()))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(message) = failure.message() {
                show::complain!("creditscope: {message}");
            }
            failure.code()
        }
    }
}

fn run(args: Args) -> Result<(), Failure> {
    let verbosity = args.verbosity();
    match args.command {
        Command::Demo(demo) => commands::demo::run(&demo, verbosity),
        Command::Run(run) => commands::run::run(&run, verbosity),
        Command::Reproduce(reproduce) => commands::reproduce::run(&reproduce, verbosity),
        Command::Init(init) => commands::init::run(&init),
        Command::Runs(runs) => commands::runs::run(&runs),
        Command::Audit(audit) => commands::audit::run(&audit, verbosity),
        Command::Figure(figure) => commands::figure::run(&figure, verbosity),
        Command::Selftest(selftest) => commands::selftest::run(&selftest, verbosity),
        Command::Explain { topic } => commands::explain::run(&topic.join(" ")),
        Command::Data(data) => commands::data::run(&data, verbosity),
        Command::Export(export) => commands::export::run(&export),
        Command::Completions { shell } => commands::completions::run(shell),
    }
}
