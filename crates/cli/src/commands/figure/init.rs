//! `creditscope figure init NAME`: a figure file to start from.

use super::list;
use crate::failure::Failure;
use crate::show;
use figures::catalogue::{SHIPPED, keys};
use std::path::PathBuf;

/// What a file begins with whose name is no figure of the program.
const PANEL: &str = "\
# A figure of your own.
columns = 2
aspect = 0.72

[[panel]]
title = 'Size of the last state'
x = 'epoch'
y = 'hidden[-1]'
group = 'rule'

[[panel]]
title = 'Cosine of the credit with the gradient'
x = 'layer'
y = 'cosine'
guides = [0]
";

/// Writes `NAME.toml` here: the file of that figure, or a small one.
pub(super) fn run(names: &[String]) -> Result<(), Failure> {
    let [name] = names else {
        return Err(Failure::Input("`figure init` takes one name, such as `figure init layers`".to_owned()));
    };
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let shipped = SHIPPED.iter().find(|(known, _)| *known == name);
    if shipped.is_none() && list::find(name).is_some() {
        let files: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
        return Err(Failure::Input(format!(
            "{name} is not a file but a part of the program; {} are files, and any other name begins a new one",
            files.join(", ")
        )));
    }
    // A name of its own, so that its pictures do not replace those of the program.
    let path =
        PathBuf::from(if shipped.is_some() { format!("my-{name}.toml") } else { format!("{name}.toml") });
    let shown = record::escape::path(&path);
    if path.symlink_metadata().is_ok() {
        return Err(Failure::Input(format!("cannot write {shown}: it exists already")));
    }
    let text = format!("{}{}", shipped.map_or(PANEL, |(_, text)| text), reference());
    record::durable::write(&path, text.as_bytes())?;
    show::print(&format!("Wrote {shown}. Draw it:  creditscope figure {shown} --from runs/\n"));
    Ok(())
}

/// All keys, as comments.
fn reference() -> String {
    let list = |title: &str, keys: &[keys::Key]| {
        let width = keys.iter().map(|key| key.name.len()).max().unwrap_or(0);
        let line = |key: &keys::Key| format!("#   {:width$}  {}\n", key.name, key.meaning);
        format!("#\n# {title}\n{}", keys.iter().map(line).collect::<String>())
    };
    list("Keys of the figure, above the first panel:", &keys::FIGURE).replacen("#\n", "\n", 1)
        + &list("Keys of a [[panel]]; only y is needed:", &keys::PANEL)
}
