//! `creditscope data fetch`.

use super::bar::Bar;
use crate::args::Verbosity;
use crate::call::Call;
use crate::failure::Failure;
use crate::show;
use data::{Error, FetchOptions, Folder};
use std::path::Path;
use std::time::Duration;

/// What is asked for.
pub(super) struct Wish<'a> {
    pub(super) name: &'a str,
    pub(super) from: Option<&'a Path>,
    pub(super) mirror: Option<&'a str>,
    pub(super) stall: f64,
}

pub(super) fn fetch(wish: &Wish<'_>, folder: &Folder, call: Call<'_>) -> Result<(), Failure> {
    if wish.stall == 0.0 {
        let message = "--stall 0 would give up at once: give the seconds of silence to wait for, such as 30";
        return Err(Failure::Input(message.to_owned()));
    }
    // A second Ctrl-C ends the program at once; what was downloaded stays on disk either way.
    let guard = call.interrupt.on_request(|| {});
    let mut bar = Bar::new(call.verbosity);
    let fetched = data::fetch(
        wish.name,
        folder,
        FetchOptions {
            from: wish.from.map(Path::to_owned),
            base_url: wish.mirror.map(str::to_owned),
            stall: Duration::from_secs_f64(wish.stall),
            progress: &mut |progress| bar.on(progress),
            interrupted: &|| call.interrupt.requested(),
        },
    );
    drop(guard);
    bar.clear();
    let fetched = fetched.map_err(|error| match error {
        Error::Interrupted => Failure::Interrupted(error.to_string()),
        other => Failure::from(other),
    })?;
    let name = fetched.name;
    let place = fetched.folder.display();
    if call.verbosity > Verbosity::Quiet {
        let already = if fetched.already { " already, as published" } else { "" };
        show::print(&format!("{name} is in {place}{already}\n"));
    }
    if fetched.problems.is_empty() {
        return Ok(());
    }
    show::complain!("creditscope: {name} is not complete: {}", fetched.problems.join("; "));
    // A single file given with --from was taken as asked; a download should have brought everything.
    if wish.from.is_some() { Ok(()) } else { Err(Failure::DidNotHold) }
}
