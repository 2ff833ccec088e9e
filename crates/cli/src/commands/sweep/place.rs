//! Which sweep a command line means: a recipe, whose runs have a folder, or the folder itself.

use crate::args::{Asking, Chosen};
use crate::call::Host;
use crate::commands::run::{folder, out, recipe_text};
use crate::failure::Failure;
use crate::show;
use lab::plain_name;
use std::path::{Path, PathBuf};
use std::time::Duration;
use sweep::{Folder, Manifest, Slurm, Source, freeze};

/// A sweep and where it is.
pub(crate) struct Place {
    pub(crate) folder: Folder,
    pub(crate) manifest: Manifest,
    /// The folder as the user knows it.
    root: PathBuf,
}

impl Place {
    pub(crate) fn new(root: PathBuf, folder: Folder, manifest: Manifest) -> Self {
        Self { folder, manifest, root }
    }

    /// The folder as a word of the command line.
    pub(crate) fn given(&self) -> String {
        show::shell_word(&self.root.display().to_string())
    }
}

/// The sweep of a recipe, planned if it is not yet; or that of a folder.
pub(super) fn planned(
    what: &Path,
    chosen: &Chosen,
    data: Option<&Path>,
    host: Host<'_>,
) -> Result<Place, Failure> {
    if what.is_dir() {
        let Chosen { set, seeds, rules, out } = chosen;
        if out.is_some() || !(set.is_empty() && seeds.is_empty() && rules.is_empty()) {
            let message = "a planned sweep is frozen: give the recipe with --set, --seeds, --rules and --out, or the folder alone";
            return Err(Failure::Input(message.to_owned()));
        }
        return found(what);
    }
    can_be_planned(host)?;
    let source = source(what, chosen)?;
    let root = out(chosen, &source.recipe()?)?;
    let sweep = Folder::at(&root)?;
    let manifest = freeze(&sweep, &source, None, &folder(data)?)?;
    Ok(Place::new(root, sweep, manifest))
}

/// A sweep keeps a copy of the program for its jobs, which within Python would be a copy of Python.
pub(crate) fn can_be_planned(host: Host<'_>) -> Result<(), Failure> {
    match host {
        Host::Program => Ok(()),
        Host::Other(_) => Err(Failure::Input(
            "a sweep keeps a copy of the program for its jobs, and this is the one within Python: plan it with the program \
             itself, which `cargo install --path crates/cli` installs"
                .to_owned(),
        )),
    }
}

/// The sweep of a folder, or of the folder that a recipe's runs have by default.
pub(super) fn found(what: &Path) -> Result<Place, Failure> {
    let root = if what.is_file() {
        out(&Chosen::default(), &source(what, &Chosen::default())?.recipe()?)?
    } else {
        what.to_owned()
    };
    let folder = Folder::at(&root)?;
    let manifest = Manifest::read(&folder)?;
    Ok(Place::new(root, folder, manifest))
}

fn source(path: &Path, chosen: &Chosen) -> Result<Source, Failure> {
    let list = |key: &str, values: &[String], quote: &str| {
        let values: Vec<String> =
            values.iter().map(|value| format!("{quote}{}{quote}", value.trim())).collect();
        (!values.is_empty()).then(|| format!("{key}=[{}]", values.join(",")))
    };
    let lists = [list("seed", &chosen.seeds, ""), list("rule.name", &chosen.rules, "'")];
    Ok(Source {
        text: recipe_text(path)?,
        origin: path.display().to_string(),
        name: plain_name(path),
        assignments: chosen.set.iter().cloned().chain(lists.into_iter().flatten()).collect(),
    })
}

pub(super) fn slurm(asking: Asking) -> Slurm {
    Slurm { patience: Duration::from_secs_f64(asking.patience) }
}
