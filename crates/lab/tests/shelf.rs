//! A record counts as a run of a recipe if it was trained by that recipe, on those data, for as long as asked.

mod common;

use common::{SMALL, runs, train};
use lab::{DataSets, Shelf};
use record::{RunRecord, Status};
use std::path::Path;

fn found(folder: &Path, recipe: &str, data: &str) -> bool {
    let shelf = Shelf::look(&[folder.to_owned()]).expect("records can be read");
    shelf.find(&runs(recipe)[0], data).expect("records can be read").is_some()
}

#[test]
fn a_record_counts_only_where_recipe_and_data_both_agree() {
    let out = tempfile::tempdir().expect("a temporary folder");
    let run = train(SMALL, out.path()).remove(0);
    let mut data_sets = DataSets::new(data::Folder::at("/nonexistent"));
    let data = data_sets.hash(&runs(SMALL)[0].source).expect("built in");
    let (other_recipe, other_data) = (SMALL.replace("d = 20", "d = 21"), "0".repeat(64));
    assert!(found(out.path(), SMALL, &data));
    assert!(!found(out.path(), &other_recipe, &data), "another recipe on the same data");
    assert!(!found(out.path(), SMALL, &other_data), "the same recipe on other data");

    // The record itself says other data: it counts for them and no longer for these.
    let mut record = run.record.clone();
    record.provenance.data_hash.clone_from(&other_data);
    record.write(&run.path).expect("written");
    assert!(!found(out.path(), SMALL, &data), "a record of other data");
    assert!(found(out.path(), SMALL, &other_data));

    // A record that states another training than its recipe counts for neither; nor does one from before records stated any,
    // whose recipe was changed since.
    let mut record = run.record.clone();
    record.provenance.identity = Some(format!("1:{}", "0".repeat(64)));
    record.write(&run.path).expect("written");
    assert!(!found(out.path(), SMALL, &data), "a record of another training");
    record.provenance.identity = None;
    record.write(&run.path).expect("written");
    assert!(found(out.path(), SMALL, &data), "a record older than the identity");
    record.provenance.recipe_hash = "0".repeat(64);
    record.write(&run.path).expect("written");
    assert!(!found(out.path(), SMALL, &data), "its recipe was changed");
}

#[test]
fn a_run_that_has_not_come_to_its_end_does_not_count() {
    let out = tempfile::tempdir().expect("a temporary folder");
    let run = train(SMALL, out.path()).remove(0);
    let data = run.record.provenance.data_hash.clone();
    let stopped = Status::Stopped { reason: "the loss became NaN".to_owned(), epoch: 1, step: 9 };
    for (status, counts) in [(Status::Running, false), (stopped, true), (Status::Finished, true)] {
        let record = RunRecord { status, ..run.record.clone() };
        record.write(&run.path).expect("written");
        assert_eq!(found(out.path(), SMALL, &data), counts, "{:?}", record.status);
    }
    assert!(!found(&out.path().join("nothing"), SMALL, &data), "a folder that is not there");
}
