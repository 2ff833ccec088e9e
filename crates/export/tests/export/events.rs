//! Event files: what is written is read back, what a kill leaves is mended, what is somebody else's stays.

use crate::made::{directory, epoch, run, undefined, unreliable};
use export::event::{EventFile, Read};
use export::named;
use export::tensorboard::{Live, complete};
use record::{Run, Status};
use serde_json::json;
use std::fs;
use std::path::Path;

const FILE: &str = "events.out.tfevents.1.creditscope";

fn three_epochs() -> Run {
    let cosines = [json!(0.5), undefined(), unreliable(0.25)];
    let epochs = cosines.iter().enumerate().map(|(n, cosine)| epoch(n as u64, 0.5, cosine));
    run("dfa-s1", 1, "", epochs.collect())
}

fn write(run: &Run, out: &Path) -> Result<Vec<u8>, record::Error> {
    complete(&named(std::slice::from_ref(run)), out)?;
    Ok(fs::read(out.join(&run.record.id).join(FILE)).expect("the file"))
}

/// Step and value of each point under a tag.
fn series(file: &[u8], tag: &str) -> Vec<(u64, f32)> {
    let read = EventFile::read(file);
    assert_eq!(read.sound, file.len());
    let points = read.events.iter().flat_map(|event| event.values.iter().map(|value| (event.step, value)));
    let of_tag = points.filter(|(_, (name, _))| name == tag);
    of_tag
        .map(|(step, (_, read))| if let Read::Scalar(x) = read { (step, *x) } else { panic!("{read:?}") })
        .collect()
}

#[test]
fn what_is_undefined_is_not_written_and_what_to_believe_is() {
    let out = tempfile::tempdir().expect("a folder");
    let file = write(&three_epochs(), out.path()).expect("written");
    assert_eq!(series(&file, "test/accuracy"), [(0, 0.5), (1, 0.5), (2, 0.5)]);
    assert_eq!(series(&file, "cosine/block_0"), [(0, 0.5), (2, 0.25)]);
    assert_eq!(series(&file, "believable/cosine/block_0"), [(0, 1.0), (1, 0.0), (2, 0.0)]);
    assert_eq!(series(&file, "cosine_at_input/block_0").len(), 3);
    assert_eq!(series(&file, "hidden/embed"), [(0, 8.0), (1, 8.0), (2, 8.0)]);
    assert_eq!(series(&file, "hidden/block_0"), [], "an infinite norm is no point of a chart");
    let events = EventFile::read(&file).events;
    // The run began at 2024-03-01T00:00:00Z; an epoch took two seconds.
    let walls: Vec<f64> =
        events.iter().filter(|event| event.values.len() > 1).map(|event| event.wall).collect();
    assert_eq!(walls, [2.0, 4.0, 6.0].map(|s| 1_709_251_200.0 + s));
    let plugins = events
        .iter()
        .flat_map(|event| &event.values)
        .filter(|(_, read)| *read == Read::OfPlugin("hparams".to_owned()));
    let tags: Vec<&str> = plugins.map(|(tag, _)| tag.as_str()).collect();
    assert_eq!(tags, ["_hparams_/session_start_info", "_hparams_/session_end_info"]);
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_read_to_its_last_whole_event_and_mended() {
    let out = tempfile::tempdir().expect("a folder");
    let run = three_epochs();
    let whole = write(&run, out.path()).expect("written");
    let events = EventFile::read(&whole).events;
    let path = out.path().join("dfa-s1").join(FILE);
    let mut lengths = Vec::new();
    for end in 0..whole.len() {
        let read = EventFile::read(&whole[..end]);
        assert!(read.sound <= end && events.starts_with(&read.events));
        lengths.push(read.events.len());
    }
    assert!(lengths.is_sorted() && lengths.last() == Some(&(events.len() - 1)));
    for end in [0, 5, 40, 80, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..end]).expect("written");
        assert_eq!(write(&run, out.path()).expect("mended"), whole, "{end}");
    }
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(&path, &damaged).expect("written");
    assert!(EventFile::read(&damaged).sound <= whole.len() / 2);
    assert_eq!(write(&run, out.path()).expect("mended"), whole);
}

#[test]
fn files_of_others_stay_as_they_are() {
    let out = tempfile::tempdir().expect("a folder");
    let path = out.path().join("dfa-s1").join(FILE);
    fs::create_dir_all(path.parent().expect("a folder")).expect("created");
    fs::write(&path, "not ours").expect("written");
    let refused = write(&three_epochs(), out.path()).expect_err("refused").to_string();
    assert!(refused.contains(FILE) && refused.contains("not written by this program"), "{refused}");
    assert_eq!(fs::read(&path).expect("there"), b"not ours");

    fs::remove_file(&path).expect("removed");
    let mut other = three_epochs();
    other.record.provenance.identity = Some("1:other".to_owned());
    let file = write(&other, out.path()).expect("written");
    let refused = write(&three_epochs(), out.path()).expect_err("refused").to_string();
    assert!(refused.contains("another run") && refused.contains("choose another folder"), "{refused}");
    assert_eq!(fs::read(&path).expect("there"), file);
}

#[test]
fn a_run_under_way_leaves_what_an_export_of_it_writes_however_often_it_is_killed() {
    let [runs, out, once] = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let finished = three_epochs();
    let whole = write(&finished, once.path()).expect("written");
    let path = out.path().join("dfa-s1").join(FILE);

    let mut run = three_epochs();
    run.record.status = Status::Running;
    run.epochs.truncate(0);
    let place = directory(runs.path(), &run);
    let mut live = Live::begin(&place, "dfa", out.path()).expect("begun");
    live.measured(&finished.epochs[0]).expect("written");
    live.measured(&finished.epochs[1]).expect("written");
    drop(live);
    // Killed while it wrote; the checkpoint knows one epoch alone, and the log was cut to it.
    let mut file = fs::read(&path).expect("there");
    file.truncate(file.len() - 3);
    fs::write(&path, &file).expect("written");
    run.epochs = finished.epochs[..1].to_vec();
    directory(runs.path(), &run);
    let mut live = Live::begin(&place, "dfa", out.path()).expect("begun");
    assert_eq!(series(&fs::read(&path).expect("there"), "test/loss").len(), 1);
    live.measured(&finished.epochs[1]).expect("written");
    live.measured(&finished.epochs[2]).expect("written");
    directory(runs.path(), &finished);
    live.ended().expect("written");
    assert_eq!(fs::read(&path).expect("there"), whole);
}
