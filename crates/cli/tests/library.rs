//! The program as a library: it returns an exit code, and a second call in the same process finds nothing of the first.

use lab::Interrupt;
use record::durable::disk::{Change, Disk, Fault, mount};
use record::{RunRecord, Status};
use std::path::Path;

const RECIPE: &str =
    "train.epochs = 1\nnet.d = 8\nnet.blocks = 1\neval.samples = 16\naudit.samples = 16\nseed = [1, 2]\n";

fn train(folder: &Path, more: &[&str], interrupt: &Interrupt) -> u8 {
    let recipe = folder.join("small.toml");
    std::fs::write(&recipe, RECIPE).expect("written");
    let recipe = recipe.display().to_string();
    let out = folder.join("runs").display().to_string();
    let words = ["creditscope", "run", &recipe, "--out", &out, "--quiet"];
    creditscope_cli::run(words.into_iter().chain(more.iter().copied()), interrupt)
}

fn is_finished(folder: &Path, run: &str) -> bool {
    RunRecord::read(&folder.join("runs").join(run)).is_ok_and(|record| record.status == Status::Finished)
}

#[test]
fn a_call_that_was_stopped_leaves_the_next_one_free() {
    let folder = tempfile::tempdir().expect("a folder");
    let asked = Interrupt::new();
    asked.request();
    assert_eq!(train(folder.path(), &[], &asked), 130, "it was asked to stop before it began");
    assert!(!is_finished(folder.path(), "bp-s1"));
    assert_eq!(train(folder.path(), &["--resume"], &Interrupt::new()), 0);
    assert!(is_finished(folder.path(), "bp-s1") && is_finished(folder.path(), "bp-s2"));
    // Everything is there, and nothing is taken over without being asked.
    assert_eq!(train(folder.path(), &[], &Interrupt::new()), 2);
    assert_eq!(train(folder.path(), &["--resume"], &Interrupt::new()), 0);
}

/// Notes the kinds of changes on disk, in order.
#[derive(Default)]
struct Recorder(std::sync::Mutex<Vec<&'static str>>);

impl Disk for Recorder {
    fn change(&self, change: Change<'_>) -> Result<(), Fault> {
        self.0.lock().expect("nobody panics").push(match change {
            Change::CreateNew { .. } => "create",
            Change::Append { .. } => "write",
            Change::Sync { .. } => "sync",
            Change::Rename { .. } => "rename",
            Change::SyncFolder { .. } => "names",
            _ => "other",
        });
        Ok(())
    }
}

#[test]
fn a_recipe_that_init_announces_is_on_the_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = std::sync::Arc::new(Recorder::default());
    let mounted = mount(folder.path(), recorder.clone());
    let path = folder.path().join("mine.toml").display().to_string();
    assert_eq!(creditscope_cli::run(["creditscope", "init", path.as_str()], &Interrupt::new()), 0);
    drop(mounted);
    assert_eq!(*recorder.0.lock().expect("nobody panics"), ["create", "write", "sync", "rename", "names"]);
    let missing = folder.path().join("none/mine.toml").display().to_string();
    assert_eq!(creditscope_cli::run(["creditscope", "init", missing.as_str()], &Interrupt::new()), 2);
}

#[test]
fn usage_and_help_come_back_as_codes() {
    let run = |words: &[&str]| creditscope_cli::run(words.iter().copied(), &Interrupt::new());
    assert_eq!(run(&["creditscope", "--help"]), 0);
    assert_eq!(run(&["creditscope", "run"]), 2, "no recipe");
    assert_eq!(run(&["creditscope", "run", "no-such.toml"]), 2);
}

#[test]
fn the_first_request_is_announced_once() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let announced = Arc::new(AtomicUsize::new(0));
    let interrupt = Interrupt::new();
    let note = announced.clone();
    let guard = interrupt.on_request(move || {
        note.fetch_add(1, Ordering::SeqCst);
    });
    assert!(interrupt.request(), "the work will stop");
    assert!(!interrupt.request(), "a second request does not wait");
    assert_eq!(announced.load(Ordering::SeqCst), 1);
    drop(guard);
    assert!(!Interrupt::new().request(), "there is no work to stop");
}
