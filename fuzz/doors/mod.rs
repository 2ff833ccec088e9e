//! The doors through which a stranger's bytes come in, one function each. The fuzz targets and the test that replays the
//! corpus (`crates/cli/tests/fuzz_corpus.rs`) both call them.
//!
//! A door says whether it accepted the bytes. It must not panic, and a refusal must name the file. What it accepts is used as
//! the program would use it.

mod checkpoint;
mod data_set;
mod drawing;
mod events;
mod files;
mod folders;
mod page;
mod unpacked;

pub(crate) use checkpoint::checkpoint;
pub(crate) use data_set::{cifar, idx, pickle};
pub(crate) use drawing::{label, png, svg};
pub(crate) use events::events;
pub(crate) use files::{npz, paper_json, recipe, safetensors};
pub(crate) use folders::{run_record, sweep};
pub(crate) use page::page;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

/// Takes bytes and says whether it accepted them.
pub(crate) type Door = fn(&[u8]) -> bool;

/// Every door by name, for the replay.
pub(crate) const DOORS: [(&str, Door); 15] = [
    ("npz", npz),
    ("safetensors", safetensors),
    ("recipe", recipe),
    ("run_record", run_record),
    ("checkpoint", checkpoint),
    ("sweep", sweep),
    ("events", events),
    ("page", page),
    ("paper_json", paper_json),
    ("idx", idx),
    ("cifar", cifar),
    ("pickle", pickle),
    ("label", label),
    ("svg", svg),
    ("png", png),
];

/// A folder of this process, in memory where the system has such a place.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
    folder.expect("a temporary folder")
});

/// Writes a file in that folder. Speed counts: it is done millions of times.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = FOLDER.path().join(name);
    if std::fs::write(&path, bytes).is_err() {
        std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("the folder can be made");
        std::fs::write(&path, bytes).expect("the file can be written");
    }
    path
}

/// Whether it was accepted; a refusal names the file.
fn accepted<T>(result: &Result<T, impl Display>, name: &str) -> bool {
    if let Err(refusal) = result {
        let words = refusal.to_string();
        assert!(words.contains(name), "a refusal that does not name {name}: {words}");
    }
    result.is_ok()
}
