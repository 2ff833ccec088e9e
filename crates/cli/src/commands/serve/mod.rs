//! `creditscope serve`: the page of a report, live, for a browser on this machine or at the other end of a tunnel.
//!
//! Reads, and writes nothing: the runs do not know of it. It listens on loopback alone, its address holds a token that other users
//! of the machine do not know, and there are two addresses: the page, and what it asks for every second.

mod reply;
mod request;
mod server;
mod site;

use crate::args::{Serve, Verbosity};
use crate::call::Call;
use crate::commands::report::command;
use crate::commands::runs;
use crate::failure::Failure;
use crate::show;
use site::Site;
use std::sync::Arc;

pub(crate) fn run(args: &Serve, call: Call<'_>) -> Result<(), Failure> {
    runs::must_be_folder(&args.path)?;
    let token = token()?;
    let (listener, port) = server::bind(args.port).map_err(|e| {
        let port = args.port;
        Failure::Input(format!(
            "cannot listen on port {port} of 127.0.0.1: {e}: give another --port, or none"
        ))
    })?;
    show::print(&format!("http://127.0.0.1:{port}/{token}/\n"));
    if call.verbosity > Verbosity::Quiet {
        show::print(&format!(
            "\nFrom another machine, first:  ssh -L {port}:127.0.0.1:{port} HOST\n\
             Ctrl-C ends the page. The runs know nothing of it.\n"
        ));
    }
    let site = Arc::new(Site::new(token, args.path.clone(), command(call.words)));
    server::serve(&listener, port, &site, call.interrupt);
    Ok(())
}

/// 128 random bits.
fn token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|e| Failure::Input(format!("the system gives no random numbers for the address: {e}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
