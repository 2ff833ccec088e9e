//! A write that fails leaves what was there.

use record::durable::{self, Holder};
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
    // So long a name leaves no room for that of a temporary file beside it.
    let path = folder.path().join("r".repeat(240));
    fs::write(&path, b"old").unwrap();
    let message = durable::write(&path, b"new").unwrap_err().to_string();
    assert!(message.starts_with(&format!("cannot write {}", path.display())), "{message}");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    // What fails half way leaves nothing behind.
    let path = folder.path().join("run.json");
    durable::write(&path, b"old").unwrap();
    let broken = |file: &mut dyn std::io::Write| {
        file.write_all(b"half a fi")?;
        Err(std::io::Error::other("the disk is gone"))
    };
    assert!(durable::write_with(&path, broken).is_err());
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(folder.path()).len(), 2);
}

/// What a killed process leaves is cleared away by the next on the same host, and nothing else is.
#[test]
fn leftovers_of_dead_writers_on_this_host_are_cleaned() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    let mut name = String::new();
    durable::write_with(&path, |file| {
        name = names(folder.path()).remove(0);
        // A writer at work keeps its file.
        durable::clean(folder.path());
        assert_eq!(names(folder.path()), [name.as_str()]);
        file.write_all(b"new")
    })
    .unwrap();
    assert_eq!(names(folder.path()), ["run.json"]);
    let own = format!(".{}.", std::process::id());
    let (host, token) = name.split_once(&own).expect("the name holds the process");
    let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    let living = format!("{host}.{}.{token}", child.id());
    let elsewhere = format!("{}x.{}.{token}", host, u32::MAX);
    let mut left = vec![living.clone(), elsewhere.clone(), ".run.json.1.partial".into(), "run.json".into()];
    let dead = format!("{host}.{}.{token}", u32::MAX);
    for leftover in left[..3].iter().chain([&dead]) {
        fs::write(folder.path().join(leftover), b"half a fi").unwrap();
    }
    durable::clean(folder.path());
    left.sort();
    assert_eq!(names(folder.path()), left);
    child.kill().unwrap();
    child.wait().unwrap();
    durable::clean(folder.path());
    left.retain(|name| *name != living);
    assert_eq!(names(folder.path()), left);
}

#[test]
fn a_log_goes_on_where_it_is_told_and_notices_a_second_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("metrics.jsonl");
    fs::write(&path, "one\ntwo\nthr").unwrap();
    let mut log = durable::Log::open(&path, 1).unwrap();
    log.append("2").unwrap();
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), log.length()), ("one\n2\n", 6));
    let holders = |logs: [&durable::Log; 2]| logs.map(|log| log.holder().unwrap());
    assert_eq!(log.holder().unwrap(), Holder::Us);
    // The second takes over. What the first writes after that reaches nobody, however unlucky the moment.
    let mut second = durable::Log::open(&path, 2).unwrap();
    assert_eq!(holders([&log, &second]), [Holder::Another, Holder::Us]);
    log.append("from the first").unwrap();
    second.append("3").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "one\n2\n3\n");
    assert_eq!(second.holder().unwrap(), Holder::Us);
    fs::write(&path, "somebody else's").unwrap();
    assert_eq!(second.holder().unwrap(), Holder::Another);
    fs::remove_file(&path).unwrap();
    assert_eq!(holders([&log, &second]), [Holder::Nobody, Holder::Nobody]);
    assert!(names(folder.path()).is_empty());
    let message = durable::Log::open(&path, 99).unwrap_err().to_string();
    assert!(message.contains("metrics.jsonl") && message.contains("missing"), "{message}");
    fs::write(&path, "one\n").unwrap();
    let message = durable::Log::open(&path, 99).unwrap_err().to_string();
    assert!(message.contains("metrics.jsonl") && message.contains("shorter"), "{message}");
}

#[test]
fn a_directory_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("inside"), b"precious").unwrap();
    assert!(durable::write(&path, b"new").is_err());
    assert_eq!(fs::read(path.join("inside")).unwrap(), b"precious");
    assert_eq!(names(folder.path()), ["run.json"], "the temporary file is gone");
    let message = durable::write(&folder.path().join("nowhere/run.json"), b"new").unwrap_err().to_string();
    assert!(message.contains("nowhere/run.json"), "{message}");
}

#[test]
fn hints_fit_what_went_wrong() {
    use record::Remedy;
    use std::io::{Error as Io, ErrorKind};
    let error = |action, kind| record::Error::io(action, Path::new("runs/x"), Io::from(kind));
    for (action, kind, words, remedies) in [
        (
            "write",
            ErrorKind::PermissionDenied,
            "choose a folder you may write to",
            &[Remedy::OtherFolder][..],
        ),
        ("write", ErrorKind::StorageFull, "free some space", &[Remedy::Resume]),
        ("create", ErrorKind::NotADirectory, "a file is in the way", &[Remedy::OtherFolder]),
        ("read", ErrorKind::PermissionDenied, "cannot read runs/x", &[]),
    ] {
        let error = error(action, kind);
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.remedies(), remedies, "{error}");
    }
}

/// The next name is known to nobody else, so the link is planted where this process will write.
#[test]
#[cfg(unix)]
fn nothing_is_written_through_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    let treasure = folder.path().join("treasure");
    fs::write(&treasure, "precious").unwrap();
    let mut name = String::new();
    durable::write_with(&path, |_| {
        name = names(folder.path()).into_iter().find(|name| name.ends_with(".partial")).unwrap();
        Ok(())
    })
    .unwrap();
    let (start, count) = name.strip_suffix(".partial").unwrap().rsplit_once('-').unwrap();
    let count: u64 = count.parse().unwrap();
    // Other tests of this process take numbers as well.
    for next in count + 1..count + 200 {
        std::os::unix::fs::symlink(&treasure, folder.path().join(format!("{start}-{next}.partial"))).unwrap();
    }
    assert!(durable::write(&path, b"new").is_err());
    assert_eq!(fs::read(&treasure).unwrap(), b"precious");
    assert_eq!(fs::read(&path).unwrap(), b"");
    // A log neither, not even through a link that leads nowhere yet: the link gives way to the log.
    let log = folder.path().join("metrics.jsonl");
    for target in [treasure.clone(), folder.path().join("nowhere")] {
        std::os::unix::fs::symlink(&target, &log).unwrap();
        durable::Log::open(&log, 0).unwrap().append("line").unwrap();
        assert_eq!((log.is_symlink(), fs::read(&log).unwrap().as_slice()), (false, &b"line\n"[..]));
        fs::remove_file(&log).unwrap();
    }
    assert_eq!(fs::read(&treasure).unwrap(), b"precious");
    assert!(!folder.path().join("nowhere").exists());
}

#[test]
fn folders_are_created_at_every_level() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b/c");
    assert!(durable::create_folder(&path).is_err(), "only one level");
    durable::create_folders(&path).unwrap();
    durable::create_folders(&path).unwrap();
    assert!(path.is_dir());
    fs::write(folder.path().join("file"), b"").unwrap();
    let message = durable::create_folders(&folder.path().join("file/below")).unwrap_err().to_string();
    assert!(message.contains("cannot create") && message.contains("file is in the way"), "{message}");
}
