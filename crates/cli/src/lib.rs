//! `creditscope` as a library: parse, call, print. The program is [`run`] under a `main`; other callers get the
//! same: nothing in it ends the process, and a second call sees nothing of the first.

mod args;
mod call;
mod commands;
mod failure;
mod progress;
mod remedy;
mod show;
mod signals;
mod target;

use args::{Args, Command};
use call::{Call, Host};
use clap::Parser;
use failure::Failure;
use lab::Interrupt;
use record::Remedy;
use std::ffi::OsString;
use std::path::PathBuf;

pub use commands::report::ReportPage;
pub use signals::on_signals;

/// Carries out a command line, whose first word is the program's name, and returns the exit code: 0 all is well, 1 something
/// asked for did not hold, 2 usage or bad input, 3 a fault of the program, 130 interrupted.
///
/// ```
/// assert_eq!(creditscope_cli::run(["creditscope", "explain", "D1"], &lab::Interrupt::new()), 0);
/// assert_eq!(creditscope_cli::run(["creditscope", "explian"], &lab::Interrupt::new()), 2);
/// ```
pub fn run<W: Into<OsString>>(words: impl IntoIterator<Item = W>, interrupt: &Interrupt) -> u8 {
    call(words.into_iter().map(Into::into).collect(), interrupt, Host::Program)
}

/// The same in the process of another program, such as Python; `program` are the words that start this one:
/// `python -m creditscope`.
pub fn run_within<W: Into<OsString>>(
    program: &[OsString],
    words: impl IntoIterator<Item = W>,
    interrupt: &Interrupt,
) -> u8 {
    call(words.into_iter().map(Into::into).collect(), interrupt, Host::Other(program))
}

/// The page of `creditscope report` for another program: of run directories and folders of them, made by a `command` of that
/// program, which spells remedies its own way. An error is in words.
pub fn report(
    paths: &[PathBuf],
    title: Option<&str>,
    full: bool,
    command: &str,
    spell: fn(Remedy) -> &'static str,
) -> Result<ReportPage, String> {
    commands::report::for_others(paths, title, full, command, spell).map_err(|failure| failure.to_string())
}

fn call(words: Vec<OsString>, interrupt: &Interrupt, host: Host<'_>) -> u8 {
    let args = match Args::try_parse_from(&words) {
        Ok(args) => args,
        // Help and version come this way as well.
        Err(error) => {
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let call = Call { verbosity: args.verbosity(), interrupt, words: &words, host };
    // A panic has said its words already; what is left is the exit code that the help promises.
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| carry_out(args, call)));
    let outcome =
        outcome.unwrap_or_else(|_| Err(Failure::Internal("a fault of the program, see above".to_owned())));
    let printed = show::printed();
    match outcome.and(printed) {
        Ok(()) => 0,
        Err(failure) => {
            if let Some(message) = failure.message() {
                show::complain!("creditscope: {message}");
            }
            failure.code()
        }
    }
}

fn carry_out(args: Args, call: Call<'_>) -> Result<(), Failure> {
    let verbosity = call.verbosity;
    match args.command {
        Command::Demo(demo) => commands::demo::run(&demo, call),
        Command::Run(run) => commands::run::run(&run, call),
        Command::Sweep(sweep) => commands::sweep::run(&sweep, call),
        Command::Reproduce(reproduce) => commands::reproduce::run(&reproduce, call),
        Command::Init(init) => commands::init::run(&init),
        Command::Runs(runs) => commands::runs::run(&runs),
        Command::Audit(audit) => commands::audit::run(&audit, verbosity),
        Command::Figure(figure) => commands::figure::run(&figure, verbosity),
        Command::Report(report) => commands::report::run(&report, call),
        Command::Serve(serve) => commands::serve::run(&serve, call),
        Command::Selftest(selftest) => commands::selftest::run(&selftest, call),
        Command::Explain { topic } => commands::explain::run(&topic.join(" ")),
        Command::Data(data) => commands::data::run(&data, call),
        Command::Export(export) => commands::export::run(&export, verbosity),
        Command::Completions { shell } => commands::completions::run(shell),
    }
}
