//! Imports: archives, folders, single files, and what must not be taken.

use super::*;
use crate::catalogue::MNIST;
use crate::verify::{Outcome, verify_entry};

fn import(tiny: &Tiny, from: &Path) -> (Result<Fetched, Error>, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    (fetch(tiny, dir.path(), Some(from), None).0, dir)
}

#[test]
fn an_archive_a_folder_and_the_folder_around_either_are_taken() {
    let tiny = tiny(&members());
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(home.path().join("root/tiny")).unwrap();
    std::fs::create_dir(home.path().join("downloads")).unwrap();
    for (name, bytes) in members() {
        write(&home.path().join("root").join(name), &bytes);
    }
    write(&home.path().join("renamed"), &tiny.archive);
    write(&home.path().join("downloads/tiny.tar.gz"), &tiny.archive);
    for from in ["renamed", "downloads", "root", "root/tiny"] {
        let (result, dir) = import(&tiny, &home.path().join(from));
        let fetched = result.unwrap_or_else(|error| panic!("{from}: {error}"));
        assert!(!fetched.already && fetched.problems.is_empty(), "{from}");
        assert_eq!(names(dir.path()), ["tiny"], "{from}");
        let checks = verify_entry(tiny.entry, &Folder::at(dir.path())).unwrap();
        assert!(checks.iter().all(|check| check.outcome == Outcome::Ok), "{from}: {checks:?}");
    }
}

/// Notes every change on disk, in order.
#[derive(Default)]
struct Recorder(std::sync::Mutex<Vec<String>>);

impl record::durable::disk::Disk for Recorder {
    fn change(&self, change: record::durable::disk::Change<'_>) -> Result<(), record::durable::disk::Fault> {
        use record::durable::disk::Change;
        let last = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let what = match change {
            Change::Sync { .. } => "sync".to_owned(),
            Change::SyncFolder { path } => format!("names of {}", last(path)),
            Change::Rename { to, .. } => format!("call it {}", last(to)),
            _ => return Ok(()),
        };
        self.0.lock().unwrap().push(what);
        Ok(())
    }
}

/// A power failure leaves a data set whole or not at all: files reach the disk before their names, names before the folder gets
/// its own, and that before the data set is announced.
#[test]
fn content_is_on_the_disk_before_its_name() {
    let tiny = tiny(&members());
    let home = tempfile::tempdir().unwrap();
    write(&home.path().join("tiny.tar.gz"), &tiny.archive);
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let recorder = std::sync::Arc::new(Recorder::default());
    let mounted = record::durable::disk::mount(&data, recorder.clone());
    fetch(&tiny, &data, Some(&home.path().join("tiny.tar.gz")), None).0.unwrap();
    drop(mounted);
    let changes = recorder.0.lock().unwrap();
    let at = |what: &str| {
        changes.iter().rposition(|change| change == what).unwrap_or_else(|| panic!("{what}: {changes:?}"))
    };
    assert_eq!(changes.iter().filter(|change| *change == "sync").count(), 2, "{changes:?}");
    for file in ["call it train.bin", "call it test.bin"] {
        assert_eq!(changes[at(file) - 1], "sync", "{changes:?}");
        assert!(changes[at(file) + 1].starts_with("names of .unpacking"), "{changes:?}");
    }
    assert_eq!(changes[changes.len() - 2..], ["call it tiny", "names of data"], "{changes:?}");
}

#[test]
fn a_damaged_file_in_the_data_folder_is_replaced() {
    let tiny = tiny(&members());
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("tiny")).unwrap();
    write(&dir.path().join("tiny/train.bin"), &[0; TRAIN_BYTES]);
    write(&dir.path().join("tiny/test.bin"), &[0; TEST_BYTES]);
    let checks = verify_entry(tiny.entry, &Folder::at(dir.path())).unwrap();
    assert!(checks.iter().all(|check| matches!(check.outcome, Outcome::Wrong { .. })));
    let archive = dir.path().join("archive");
    write(&archive, &tiny.archive);
    assert!(!fetch(&tiny, dir.path(), Some(&archive), None).0.unwrap().already);
    let checks = verify_entry(tiny.entry, &Folder::at(dir.path())).unwrap();
    assert!(checks.iter().all(|check| check.outcome.is_good()));
}

#[test]
fn files_of_another_content_are_refused_and_nothing_is_installed() {
    let tiny = tiny(&members());
    let home = tempfile::tempdir().unwrap();
    write(&home.path().join("train.bin"), &[1; TRAIN_BYTES]);
    write(&home.path().join("test.bin"), &[1; TEST_BYTES]);
    let (result, dir) = import(&tiny, home.path());
    let message = result.unwrap_err().to_string();
    assert!(
        message.contains("train.bin: its MD5 is") && message.contains("nothing was installed"),
        "{message}"
    );
    assert_eq!(names(dir.path()), [""; 0]);
    for (from, what) in [("train.bin", "not that of a published file"), ("nowhere", "no such file or folder")]
    {
        let message = import(&tiny, &home.path().join(from)).0.unwrap_err().to_string();
        assert!(message.contains(what) && message.contains("tiny.tar.gz (MD5 "), "{message}");
    }
}

#[test]
fn hostile_archives_install_nothing() {
    let outside = tempfile::tempdir().unwrap();
    let absolute = outside.path().join("tiny/train.bin");
    for (name, what) in [
        ("../tiny/train.bin", "outside the data folder"),
        ("tiny/../../tiny/train.bin", "outside the data folder"),
        (absolute.to_str().unwrap(), "outside the data folder"),
    ] {
        let mut with = members();
        with.push((Box::leak(name.to_owned().into_boxed_str()), content(TRAIN_BYTES, 1)));
        let message = refused(tar_gz(&with));
        assert!(message.contains(what), "{name}: {message}");
    }
    assert!(!absolute.exists());

    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    tar.append_link(&mut header, "tiny/train.bin", "/etc/passwd").unwrap();
    assert!(refused(tar.into_inner().unwrap().finish().unwrap()).contains("a link or device"));

    assert!(refused(tar_gz(&members()[..1])).contains("test.bin is not in it"));
    let whole = tar_gz(&members());
    assert!(refused(whole[..whole.len() / 2].to_vec()).contains("cannot"));
    let short = [("tiny/train.bin", vec![0; 5]), ("tiny/test.bin", vec![0; 5])];
    assert!(refused(tar_gz(&short)).contains("has 5 bytes where 3400 are expected"));
}

/// The message for an archive whose own hash is right but whose content is not.
fn refused(archive: Vec<u8>) -> String {
    let tiny = tiny_of(archive, false);
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("tiny.tar.gz");
    write(&path, &tiny.archive);
    let (result, dir) = import(&tiny, &path);
    assert_eq!(names(dir.path()), [""; 0]);
    result.unwrap_err().to_string()
}

#[test]
fn files_beyond_the_layout_stay_in_the_archive() {
    let mut with = members();
    with.push(("tiny/readme.html", b"hello".to_vec()));
    with.push(("train.bin", vec![9; 10]));
    let tiny = tiny(&with);
    let home = tempfile::tempdir().unwrap();
    write(&home.path().join("a"), &tiny.archive);
    let (result, dir) = import(&tiny, &home.path().join("a"));
    result.unwrap();
    assert_eq!(names(&dir.path().join("tiny")), ["test.bin", "train.bin"]);
}

#[test]
fn single_compressed_files_are_taken_one_by_one() {
    // MNIST's form with files whose hashes we know.
    let plain = b"plain".to_vec();
    let packed = b"packed".to_vec();
    let file = |name, part, md5, gz_md5| DataFile { name, part, bytes: None, md5, gz_md5 };
    let files = vec![
        file("images", FilePart::Train, Some(md5(&plain)), Some("-")),
        file("labels", FilePart::Train, Some("-"), Some(md5(&packed))),
    ];
    let layout = DiskLayout { format: FileFormat::Idx, folders: &["M/raw", "m"], files: files.leak() };
    let entry = Box::leak(Box::new(CatalogueEntry { layouts: vec![layout].leak(), packages: &[], ..MNIST }));
    let tiny = Tiny { entry, archive: Vec::new() };
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("one"), &packed);
    write(&dir.path().join("two"), &plain);
    let fetched = fetch(&tiny, dir.path(), Some(&dir.path().join("one")), None).0.unwrap();
    assert_eq!(fetched.problems, ["images is missing"]);
    let fetched = fetch(&tiny, dir.path(), Some(&dir.path().join("two")), None).0.unwrap();
    assert_eq!((fetched.problems.len(), fetched.folder.clone()), (0, dir.path().join("M/raw")));
    assert_eq!(names(&fetched.folder), ["images", "labels.gz"]);
}
