//! Where every number comes from: program, commands, and the hashes of each run.

use super::runs::RunPart;
use super::table::list;
use crate::show::{self, Table};
use record::escape::xml;

/// The foot of the page.
pub(super) fn foot(parts: &[RunPart<'_>], commands: &[String]) -> String {
    let program = format!("Creditscope {}", env!("CARGO_PKG_VERSION"));
    let mut out = format!("<p>Made by {} with</p>\n", xml(&program));
    for command in commands {
        out.push_str(&format!("<pre><code>{}</code></pre>\n", xml(command)));
    }
    out.push_str(
        "<p>A run's identity is a hash over what steers its training. Runs of one identity and data hash, of one numerics \
         version and on one processor model, have the same results to the byte.</p>\n",
    );
    let mut table =
        Table::new(&["run", "seed", "identity", "recipe", "data", "program", "processor", "started"], 8);
    for part in parts {
        let from = &part.run.record.provenance;
        let short = |hash: &str| hash.chars().take(16).collect::<String>();
        let numerics: Vec<String> = from.numerics.iter().map(u32::to_string).collect();
        let program = match &from.elsewhere {
            Some(elsewhere) => format!("{}, watched by {}", elsewhere.by, from.version),
            None => format!("{}, numerics {}", from.version, numerics.join(", ")),
        };
        table.row(vec![
            part.run.record.id.clone(),
            from.seed.to_string(),
            from.identity.as_deref().map(short).unwrap_or_default(),
            short(&from.recipe_hash),
            format!("{} {}", from.data, short(&from.data_hash)),
            program,
            from.machine.cpu.clone(),
            show::moment(&from.started),
        ]);
    }
    let rows = table.without_blanks();
    let note = ["Hashes are cut to 16 digits; run.json has them whole.".to_owned()];
    out + "<details><summary>Provenance of every run</summary>\n<div class=\"scroll\">"
        + &rows.html()
        + "</div>\n"
        + &list("notes", &note)
        + "</details>\n"
}
