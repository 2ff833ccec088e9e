//! A write that fails leaves what was there.

use record::atomic;
use std::fs;
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_failed_write_keeps_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    atomic::write(&path, b"old").unwrap();
    // No temporary file can be created, as in a folder without leave or space.
    let partial = folder.path().join(format!(".run.json.{}.partial", std::process::id()));
    fs::create_dir(&partial).unwrap();
    let message = atomic::write(&path, b"new").unwrap_err().to_string();
    assert!(message.starts_with(&format!("cannot write {}", path.display())), "{message}");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    fs::remove_dir(&partial).unwrap();
    // One left behind by a kill does not hinder.
    fs::write(&partial, b"half a fi").unwrap();
    atomic::write(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(folder.path()), ["run.json"]);
    // Nor does one of another process, which is cleared away on request.
    fs::write(folder.path().join(".run.json.1.partial"), b"half a fi").unwrap();
    fs::write(folder.path().join(".other.json.1.partial"), b"not ours").unwrap();
    atomic::write(&path, b"newer").unwrap();
    atomic::clean(&path);
    assert_eq!(names(folder.path()), [".other.json.1.partial", "run.json"]);
}

#[test]
fn a_directory_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("inside"), b"precious").unwrap();
    assert!(atomic::write(&path, b"new").is_err());
    assert_eq!(fs::read(path.join("inside")).unwrap(), b"precious");
    assert_eq!(names(folder.path()), ["run.json"], "the temporary file is gone");
    let message = atomic::write(&folder.path().join("nowhere/run.json"), b"new").unwrap_err().to_string();
    assert!(message.contains("nowhere/run.json"), "{message}");
}

#[test]
fn hints_fit_what_went_wrong() {
    use std::io::{Error as Io, ErrorKind};
    let message = |action, kind| record::Error::io(action, Path::new("runs/x"), Io::from(kind)).to_string();
    assert!(message("write", ErrorKind::PermissionDenied).contains("--out"));
    assert!(message("write", ErrorKind::StorageFull).contains("free some space"));
    assert!(message("create", ErrorKind::NotADirectory).contains("a file is in the way"));
    assert!(!message("read", ErrorKind::PermissionDenied).contains("--out"));
}
