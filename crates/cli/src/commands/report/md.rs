//! The page in Markdown: verdicts and sentences of every sweep, and a table of all runs, for a pull request or a README.

use super::Material;
use crate::commands::audit::markdown;
use record::escape;
use report::audit::View;
use report::html::overview;

pub(super) fn text(material: &Material, title: Option<&str>) -> String {
    let title = escape::markdown(&material.title(title));
    let pages = markdown(&material.sweeps, &View::default(), material.spell);
    let notes: String = material.notes.iter().map(|note| format!("- {}\n", escape::markdown(note))).collect();
    let gap = if notes.is_empty() { "" } else { "\n" };
    let runs = overview(&material.parts(|_| String::new())).markdown();
    let program = concat!("Creditscope ", env!("CARGO_PKG_VERSION"));
    format!(
        "# {title}\n\n{notes}{gap}{pages}\n<details>\n<summary>Runs</summary>\n\n{runs}\n</details>\n\n*Made by {program}.*\n"
    )
}
