//! `creditscope init`.

use crate::args::Init;
use crate::failure::Failure;
use crate::show;
use lab::{Recipe, Template, plain_name, template};
use std::io::ErrorKind;
use std::path::Path;

pub(crate) fn run(init: &Init) -> Result<(), Failure> {
    let file = &init.file;
    let usual = Template::default();
    let about = Template {
        data: init.data.clone().unwrap_or(usual.data),
        net: init.net.clone(),
        rules: if init.rules.is_empty() { usual.rules } else { init.rules.clone() },
        all: init.all,
    };
    let text = template(&plain_name(file), &about);
    // What cannot be run is not written.
    Recipe::parse(&text, &file.display().to_string())?.runs()?;
    if file == Path::new("-") {
        show::print(&text);
        return Ok(());
    }
    // A link that leads nowhere is somebody's too.
    if file.symlink_metadata().is_ok() {
        return Err(refused(file, "it exists already; name another file"));
    }
    record::durable::write(file, text.as_bytes()).map_err(|error| match error {
        record::Error::Io { source, .. } if source.kind() == ErrorKind::NotFound => {
            refused(file, "its folder does not exist; create it first")
        }
        record::Error::Io { source, .. } => {
            refused(file, &format!("{source}: name a file in a folder you may write to"))
        }
        other => other.into(),
    })?;
    show::print(&format!(
        "Wrote {0}. See its runs and their cost:  creditscope run {0} --dry-run\n",
        file.display()
    ));
    Ok(())
}

fn refused(file: &Path, why: &str) -> Failure {
    Failure::Input(format!("cannot write {}: {why}", record::escape::path(file)))
}
