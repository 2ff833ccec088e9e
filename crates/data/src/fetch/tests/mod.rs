//! Fetching from a local server that behaves, and one that does not; and importing from disk.

mod crash;
mod import;
mod network;
#[path = "../../../../record/tests/record/power/mod.rs"]
#[expect(dead_code, reason = "shared with other tests, which use the rest")]
mod power;
mod server;

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use super::{FetchOptions, Fetched, Progress, fetch_entry};
use crate::catalogue::{CIFAR10, CatalogueEntry, DataFile, DiskLayout, FileFormat, FilePart, Package};
use crate::{Error, Folder, ImageShape};

/// A data set like CIFAR-10, small enough for a test: 200 + 100 images of 1×4×4 pixels.
pub(super) struct Tiny {
    pub(super) entry: &'static CatalogueEntry,
    pub(super) archive: Vec<u8>,
}

pub(super) const TRAIN_BYTES: usize = 200 * 17;
pub(super) const TEST_BYTES: usize = 100 * 17;

fn content(len: usize, seed: u8) -> Vec<u8> {
    // Every 17th byte is a label and must be below 10; the rest is noise that does not compress.
    let mut state = u64::from(seed) + 1;
    let noise = move |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    };
    let mut bytes: Vec<u8> = (0..len).map(noise).collect();
    bytes.iter_mut().step_by(17).for_each(|label| *label %= 10);
    bytes
}

pub(super) fn md5(bytes: &[u8]) -> &'static str {
    use md5::{Digest, Md5};
    Box::leak(crate::digest::hex(&Md5::digest(bytes)).into_boxed_str())
}

pub(super) fn members() -> Vec<(&'static str, Vec<u8>)> {
    vec![("tiny/train.bin", content(TRAIN_BYTES, 1)), ("tiny/test.bin", content(TEST_BYTES, 2))]
}

pub(super) fn tar_gz(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        // Not `set_path`, which would refuse the hostile names of these tests.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        tar.append(&header, &bytes[..]).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

/// The data set whose archive has these members.
pub(super) fn tiny(members: &[(&str, Vec<u8>)]) -> Tiny {
    tiny_of(tar_gz(members), true)
}

/// The data set with this archive; without `hashes`, only the archive's own is published.
pub(super) fn tiny_of(archive: Vec<u8>, hashes: bool) -> Tiny {
    let file = |name, part, bytes: usize, seed| DataFile {
        name,
        part,
        bytes: Some(bytes as u64),
        md5: hashes.then(|| md5(&content(bytes, seed))),
        gz_md5: None,
    };
    let files = vec![
        file("train.bin", FilePart::Train, TRAIN_BYTES, 1),
        file("test.bin", FilePart::Test, TEST_BYTES, 2),
    ];
    let layout = DiskLayout { format: FileFormat::CifarBinary, folders: &["tiny"], files: files.leak() };
    let package = Package {
        file: "tiny.tar.gz",
        bytes: archive.len() as u64,
        md5: md5(&archive),
        fetched: true,
        layout: 0,
    };
    let entry = CatalogueEntry {
        shape: ImageShape { channels: 1, height: 4, width: 4 },
        train: 200,
        test: 100,
        moments: &[(0.5, 0.5)],
        layouts: vec![layout].leak(),
        packages: vec![package].leak(),
        mirrors: &[],
        ..CIFAR10
    };
    Tiny { entry: Box::leak(Box::new(entry)), archive }
}

/// A fetch of the tiny set, with its events.
pub(super) fn fetch(
    tiny: &Tiny,
    folder: &Path,
    from: Option<&Path>,
    url: Option<&str>,
) -> (Result<Fetched, Error>, Vec<String>) {
    let mut events = Vec::new();
    let mut progress = |event: Progress<'_>| {
        events.push(match event {
            Progress::Started { done, .. } => format!("started at {done}"),
            Progress::Downloaded { .. } => return,
            Progress::Retrying { .. } => "retrying".to_owned(),
            Progress::Verifying { .. } => "verifying".to_owned(),
            Progress::Installing { .. } => "installing".to_owned(),
        });
    };
    let options = FetchOptions {
        from: from.map(Path::to_path_buf),
        base_url: url.map(str::to_owned),
        stall: Duration::from_secs(1),
        progress: &mut progress,
        interrupted: &|| false,
    };
    let result = fetch_entry(tiny.entry, &Folder::at(folder), options);
    (result, events)
}

/// What is in a folder, hidden files included.
pub(super) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

pub(super) fn write(path: &Path, bytes: &[u8]) {
    std::fs::File::create(path).unwrap().write_all(bytes).unwrap();
}
