//! The tables of `docs/reproduction.md`, between two marks, with the words around them left as they are.

use crate::failure::Failure;
use crate::show;
use std::path::Path;

const BEGIN: &str = "<!-- written by `creditscope reproduce`: begin -->";
const END: &str = "<!-- written by `creditscope reproduce`: end -->";

/// One study as a Markdown table.
pub(super) fn table(name: &str, about: &str, found: usize, asked: usize, table: &show::Table) -> String {
    format!("### {name}: {about}\n\n{found} of {asked} runs are there.\n\n{}", table.markdown())
}

/// Puts tables between the marks of a file, or writes a new file.
pub(super) fn write(file: &Path, tables: &str) -> Result<(), Failure> {
    let (before, after) = around(file)?;
    let text = format!("{before}{BEGIN}\n{tables}\n{END}{after}");
    record::durable::write(file, text.as_bytes()).map_err(|e| Failure::Input(e.to_string()))
}

/// What stands before and after the tables. Asked before anything is trained, so that nothing is found wrong at the end.
pub(super) fn around(file: &Path) -> Result<(String, String), Failure> {
    let old = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok((String::new(), "\n".to_owned())),
        Err(e) => return Err(Failure::Input(format!("cannot read {}: {e}", file.display()))),
    };
    match (old.find(BEGIN), old.find(END)) {
        (Some(begin), Some(end)) if begin < end => {
            Ok((old[..begin].to_owned(), old[end + END.len()..].to_owned()))
        }
        _ => {
            let message =
                format!("{} has no place for tables: add the lines {BEGIN} and {END}", file.display());
            Err(Failure::Input(message))
        }
    }
}
