//! The command line of `creditscope serve`.

use clap::Args as ClapArgs;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "Examples:\n  creditscope serve runs/audit\n  \
    creditscope serve /shared/sweep --port 8123\n  \
    ssh -L 8123:127.0.0.1:8123 HOST     # on the laptop, to open the address there\n\n\
    Prints an address for the browser: the page of `creditscope report`, with what is under way on top. It follows the runs \
    within two seconds. Only this machine reaches it, and only who knows the whole address; it can be read and nothing else. \
    Runs are started, stopped and resumed as without it, and Ctrl-C ends it alone (exit code 0). Where no process may stay, \
    `creditscope report --refresh` writes the page to a shared folder.";

#[derive(Debug, ClapArgs)]
pub(crate) struct Serve {
    /// A run directory, a folder of runs, or the folder of a sweep
    pub(crate) path: PathBuf,
    /// Port on 127.0.0.1; 0 takes one that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
}
