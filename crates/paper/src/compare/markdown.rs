//! The figure and the tables of `docs/reproduction.md`, between two markers; the text around them stays as it is.

use super::{Comparison, Overview, RULE};
use record::{Error, bounded, durable};
use std::path::Path;

const BEGIN: &str = "<!-- written by `creditscope reproduce`: begin -->";
const END: &str = "<!-- written by `creditscope reproduce`: end -->";

/// One study as a Markdown table.
pub fn table(name: &str, about: &str, found: usize, asked: usize, compared: &Comparison) -> String {
    let held = compared.sentence();
    let held = if held.is_empty() { held } else { format!(" {held}") };
    format!("### {name}: {about}\n\n{found} of {asked} runs found.{held}\n\n{}", compared.table.markdown())
}

/// The folder of the figure, beside the file.
pub const FIGURES: &str = "figures";

/// Replaces what is between the markers of a file, or writes a new file.
pub fn write(file: &Path, overview: &Overview, tables: &str) -> Result<(), Error> {
    let (before, after) = around(file)?;
    let picture = format!("![{}]({FIGURES}/{}.png)", overview.sentence, Overview::NAME);
    let text = format!("{before}{BEGIN}\n{picture}\n\n{RULE}\n\n{tables}\n{END}{after}");
    durable::write(file, text.as_bytes())
}

/// The text before and after the tables. Called before training starts, so that a bad file is found early.
pub fn around(file: &Path) -> Result<(String, String), Error> {
    let Some(old) = bounded::text_if_there(file, bounded::RECORD)? else {
        return Ok((String::new(), "\n".to_owned()));
    };
    match (old.find(BEGIN), old.find(END)) {
        (Some(begin), Some(end)) if begin < end => {
            Ok((old[..begin].to_owned(), old[end + END.len()..].to_owned()))
        }
        _ => Err(Error::malformed(
            file,
            format!("has no place for figure and tables: add the lines {BEGIN} and {END}"),
        )),
    }
}
