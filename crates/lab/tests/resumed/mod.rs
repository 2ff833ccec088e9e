//! Runs that are begun, resumed and held to one that was never short.

use crate::common::{go, options, runs};
use crate::saved;
use lab::Options;
use record::{Epoch, Run, Status};
use std::path::Path;

/// Resumes a recipe of one run, and says how that ended.
pub(crate) fn resume(recipe: &str, out: &Path) -> Status {
    let options = Options { resume: true, ..options(out) };
    let mut endings = go(recipe, &options).expect("nothing is refused");
    assert_eq!(endings.len(), 1);
    endings.remove(0).expect("no trouble").expect("begun")
}

/// Trains a recipe of one run, however it ends.
pub(crate) fn begin(recipe: &str, out: &Path) -> Run {
    go(recipe, &options(out)).expect("nothing is refused").remove(0).expect("no trouble");
    Run::read(&out.join(&runs(recipe)[0].id)).expect("a run")
}

pub(crate) fn assert_same(whole: &Path, other: &Path, what: &str) {
    let [whole_run, other_run] = [whole, other].map(|path| Run::read(path).expect("a run"));
    let timeless = |run: &Run| run.epochs.iter().map(Epoch::timeless).collect::<Vec<_>>();
    assert_eq!(timeless(&other_run), timeless(&whole_run), "{what}");
    assert_eq!(other_run.record.drift, whole_run.record.drift, "{what}");
    assert_eq!(other_run.record.status, Status::Finished, "{what}");
    assert_eq!(saved::differing(whole, other), Vec::<String>::new(), "{what}");
}
