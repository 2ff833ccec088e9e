//! `creditscope report --refresh`: the page again and again while runs go on, for a folder that several machines see.

use super::{Material, Press, md};
use crate::args::{PageFormat, Report, Verbosity};
use crate::call::Call;
use crate::commands::watch::Watch;
use crate::failure::Failure;
use crate::show;
use crate::target;
use report::html::Mode;
use std::path::Path;
use std::time::{Duration, Instant};

/// Writes the page every so many seconds until somebody asks to stop. After the first time, nothing that goes wrong with reading or
/// writing ends it.
pub(super) fn refresh(
    args: &Report,
    format: PageFormat,
    out: &Path,
    seconds: u64,
    call: Call<'_>,
) -> Result<(), Failure> {
    // What is being written is written to its end.
    let _guard = call.interrupt.on_request(|| {});
    let mut pages = pages(args, format, seconds, call);
    let mut first = true;
    while !call.interrupt.requested() {
        let next = Instant::now() + Duration::from_secs(seconds);
        match pages().and_then(|text| target::write(out, &text)) {
            Ok(()) if first && call.verbosity > Verbosity::Quiet => {
                show::print(&format!("{}, again every {seconds} s until Ctrl-C\n", out.display()));
            }
            Ok(()) => {}
            Err(failure) if first => return Err(failure),
            Err(failure) => show::complain!("creditscope: {failure}; trying again in {seconds} s"),
        }
        first = false;
        while Instant::now() < next && !call.interrupt.requested() {
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    Ok(())
}

/// Makes the page at each call.
fn pages<'a>(
    args: &'a Report,
    format: PageFormat,
    seconds: u64,
    call: Call<'a>,
) -> Box<dyn FnMut() -> Result<String, Failure> + 'a> {
    let title = args.title.as_deref();
    if format == PageFormat::Md {
        return Box::new(move || Ok(md::text(&Material::so_far(&args.paths)?, title)));
    }
    let command = super::command(call.words);
    let mut watch = Watch::new(&args.paths);
    let mut sheet = None;
    Box::new(move || {
        watch.look();
        let (version, ended) = (watch.version(), watch.has_ended());
        let kept = sheet.take().filter(|sheet: &super::Sheet| sheet.version() == version);
        let sheet = match kept {
            Some(kept) => sheet.insert(kept),
            None => {
                let mode = Mode::Refreshed(seconds);
                let press = Press { paths: &args.paths, title, command: &command, mode, full: args.full };
                sheet.insert(press.print(version, ended)?)
            }
        };
        Ok(sheet.html(&watch))
    })
}
