//! Runs as event files of TensorBoard: a folder per run, means over seeds, pictures, and what its dashboards want to know.
//!
//! An undefined value is not written, since neither 0 nor NaN would be true; the series `believable/…` beside says at each epoch
//! whether the value can be believed. Files hold nothing but what is in the records, so they can be made anew at any time, to
//! the same bytes.

mod experiment;
mod hparams;
mod layout;
mod live;
mod means;
mod pictures;
mod run;

pub use experiment::write as write_columns;
pub use live::Live;
pub use pictures::Png;

use crate::Named;
use crate::event::Target;
use crate::named::groups;
use record::Error;
use std::path::{Path, PathBuf};

/// Writes runs, and the mean over the seeds of each group that has several, below a folder. Returns the names of the groups
/// that have a mean.
pub fn write<'a>(runs: &'a [Named<'_>], out: &Path) -> Result<Vec<&'a str>, Error> {
    complete(runs, out)?;
    let mut with_means = Vec::new();
    for (group, seeds) in groups(runs) {
        let name = format!("mean/{group}");
        let target = Target::new(&folder(out, &name), &name);
        if let Some(events) = means::events(&target, &seeds) {
            target.complete(&events)?;
            with_means.push(group);
        }
    }
    write_columns(runs.iter().map(|named| &named.run.recipe), out)?;
    Ok(with_means)
}

/// Writes runs alone. Files that are there already are completed.
pub fn complete(runs: &[Named<'_>], out: &Path) -> Result<(), Error> {
    runs.iter().try_for_each(|named| {
        let target = run::target(&folder(out, &named.name), &named.run.record);
        target.complete(&run::events(&target, named.run, &named.group))
    })
}

/// Writes figures below a folder, under the time at which the last of these runs ended.
pub fn write_pictures(pictures: &[Png], runs: &[Named<'_>], out: &Path) -> Result<(), Error> {
    let target = Target::new(&out.join("figures"), "figures");
    let wall = runs.iter().map(|named| run::end(named.run)).fold(0.0, f64::max);
    target.complete(&pictures::events(&target, pictures, wall))
}

/// The folder of a run. A name from a record must not lead out of the folder that it is put into.
fn folder(out: &Path, name: &str) -> PathBuf {
    let part = |part: &str| -> String {
        let allowed = |c: char| c.is_alphanumeric() || " _.,=+@()-".contains(c);
        let plain: String = part.chars().map(|c| if allowed(c) { c } else { '_' }).collect();
        if plain.chars().all(|c| c == '.') { plain.replace('.', "_") + "_" } else { plain }
    };
    name.split('/').fold(out.to_owned(), |folder, word| folder.join(part(word)))
}

#[cfg(test)]
mod tests {
    use super::folder;
    use std::path::Path;

    #[test]
    fn names_of_strangers_stay_in_the_folder() {
        let at = |name: &str| folder(Path::new("tb"), name).display().to_string();
        assert_eq!(at("dfa-lr0.1-s42"), "tb/dfa-lr0.1-s42");
        assert_eq!(at("a/dfa (2)"), "tb/a/dfa (2)");
        assert_eq!(at("../../etc"), "tb/___/___/etc");
        assert_eq!(at("/a\\b\n"), "tb/_/a_b_");
    }
}
