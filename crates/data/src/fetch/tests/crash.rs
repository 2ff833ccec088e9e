//! Power fails at any moment of a fetch: a data set is whole or not taken for one, and there once that was said.

use super::power::history::{History, record};
use super::power::model::{Tree, crashes};
use super::power::scratch::{folder, lay_out};
use super::power::site::Site;
use super::*;
use crate::presence::{Presence, locate};
use crate::verify::verify_entry;
use record::durable;

/// Says once that the data set is there.
fn fetched(tiny: &Tiny, archive: &Path, before: impl FnOnce(&Path)) -> History<()> {
    let root = folder();
    let data = root.path().join("data");
    let (history, ()) = record(root.path(), None, |recorder| {
        before(&data);
        fetch(tiny, &data, Some(archive), None).0.unwrap();
        recorder.promise(());
    });
    history
}

/// Whether training would take what a crash left for the data set; an error if it would take something else for it.
fn is_there(tiny: &Tiny, data: &Path) -> Result<bool, String> {
    let data = Folder::at(data);
    if !matches!(locate(tiny.entry, &data), Presence::Complete(_)) {
        return Ok(false);
    }
    let checks = verify_entry(tiny.entry, &data).unwrap();
    if checks.iter().all(|check| check.outcome.is_good()) {
        Ok(true)
    } else {
        Err("a damaged set".to_owned())
    }
}

fn judge(tiny: &Tiny, archive: &Path, tree: &Tree, promised: bool) -> Result<(), String> {
    let root = folder();
    lay_out(tree, root.path());
    let data = root.path().join("data");
    if !is_there(tiny, &data)? && promised {
        return Err("it was lost".to_owned());
    }
    fetch(tiny, &data, Some(archive), None).0.map_err(|error| error.to_string())?;
    match (is_there(tiny, &data)?, names(&data).as_slice()) {
        (true, [only]) if only == "tiny" => Ok(()),
        (_, names) => Err(format!("fetching again leaves {names:?}")),
    }
}

#[test]
fn power_fails_at_any_moment_of_a_fetch() {
    let tiny = tiny(&members());
    let home = tempfile::tempdir().unwrap();
    let archive = home.path().join("tiny.tar.gz");
    write(&archive, &tiny.archive);
    // Into an empty place as one folder; into a folder that lacks something, file by file.
    let empty = fetched(&tiny, &archive, |_| {});
    let damaged = fetched(&tiny, &archive, |data| {
        durable::create_folders(&data.join("tiny")).unwrap();
        durable::write(&data.join("tiny/train.bin"), b"short").unwrap();
    });
    let judge_all = |history: &History<()>, without: Option<Site>| {
        let mut states = 0;
        for ops in 0..=history.ops.len() {
            let promised = !history.promised(ops).is_empty();
            for tree in crashes(&history.ops[..ops], &Site::leaves_out(without)) {
                states += 1;
                judge(&tiny, &archive, &tree, promised).map_err(|problem| {
                    format!("after change {ops}, with {:?}: {problem}", tree.keys().collect::<Vec<_>>())
                })?;
            }
        }
        Ok::<usize, String>(states)
    };
    for history in [&empty, &damaged] {
        let states = judge_all(history, None).unwrap_or_else(|problem| panic!("{problem}"));
        println!("a fetch: {} changes, {states} crashes", history.ops.len());
    }
    // A file that is moved from one folder to another needs no name of its own in the first: only whole folders do.
    let sites = [Site::Content, Site::Name, Site::Folder, Site::Put];
    for site in sites {
        let problem = [&empty, &damaged].into_iter().find_map(|history| judge_all(history, Some(site)).err());
        let problem = problem.unwrap_or_else(|| panic!("nobody needs {site:?}"));
        println!("without {site:?}: {problem}");
    }
    println!("{} of {} mutants noticed", sites.len(), sites.len());
}
