//! `creditscope init`.

use crate::args::Init;
use crate::failure::Failure;
use crate::show;
use lab::{Recipe, Template, plain_name, template};
use std::io::Write;
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
    let written = std::fs::File::create_new(file).and_then(|mut f| f.write_all(text.as_bytes()));
    written.map_err(|e| {
        let remedy = match e.kind() {
            std::io::ErrorKind::AlreadyExists => "it exists already; name another file",
            std::io::ErrorKind::NotFound => "its folder does not exist; create it first",
            _ => "name a file in a folder you may write to",
        };
        Failure::Input(format!("cannot write {}: {e}: {remedy}", file.display()))
    })?;
    show::print(&format!(
        "Wrote {0}. See its runs and their cost:  creditscope run {0} --dry-run\n",
        file.display()
    ));
    Ok(())
}
