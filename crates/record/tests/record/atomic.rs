//! A write that fails leaves what was there.

use record::atomic;
use std::fs;
use std::io::Write;
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
    let partial = folder.path().join(".run.json.partial");
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

#[cfg(unix)]
#[test]
fn a_folder_without_leave_to_write_keeps_its_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    atomic::write(&path, b"old").unwrap();
    let allow = |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    if fs::write(folder.path().join("probe"), b"").is_ok() {
        // Not by `eprintln!`, which a passing test swallows.
        writeln!(std::io::stderr(), "skipped: this user may write into a folder of mode 555").unwrap();
    } else {
        let message = atomic::write(&path, b"new").unwrap_err().to_string();
        assert!(message.contains("--out"), "{message}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }
    allow(0o755);
}
