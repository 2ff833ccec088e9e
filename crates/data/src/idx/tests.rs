//! IDX files in all the states in which they are found.

use std::fs;
use std::io::Write;
use std::path::Path;

use proptest::prelude::*;

use crate::catalogue::{CatalogueEntry, DataFile, DiskLayout, FileFormat, FilePart, MNIST};
use crate::load::load_entry;
use crate::{Dataset, Error, Folder, ImageShape, Remedy};

const fn file(name: &'static str, part: FilePart, bytes: u64) -> DataFile {
    DataFile { name, part, bytes: Some(bytes), md5: None, gz_md5: Some("-") }
}

/// MNIST's form with 3 + 2 images of 2×2 pixels.
static TINY: CatalogueEntry = CatalogueEntry {
    shape: ImageShape { channels: 1, height: 2, width: 2 },
    train: 3,
    test: 2,
    layouts: &[DiskLayout {
        format: FileFormat::Idx,
        folders: &["M/raw", "m"],
        files: &[
            file("train-images", FilePart::Train, 28),
            file("train-labels", FilePart::Train, 11),
            file("test-images", FilePart::Test, 24),
            file("test-labels", FilePart::Test, 10),
        ],
    }],
    ..MNIST
};

fn idx(sizes: &[u32], content: &[u8]) -> Vec<u8> {
    let words = std::iter::once(0x0800 + sizes.len() as u32).chain(sizes.iter().copied());
    words.flat_map(u32::to_be_bytes).chain(content.iter().copied()).collect()
}

fn files() -> [(&'static str, Vec<u8>); 4] {
    [
        ("train-images", idx(&[3, 2, 2], &(0..12).collect::<Vec<_>>())),
        ("train-labels", idx(&[3], &[9, 0, 4])),
        ("test-images", idx(&[2, 2, 2], &[250; 8])),
        ("test-labels", idx(&[2], &[1, 2])),
    ]
}

fn gz(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn load_with(folder: &str, change: impl Fn(&Path)) -> Result<Dataset, Error> {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join(folder);
    fs::create_dir_all(&folder).unwrap();
    for (name, content) in files() {
        fs::write(folder.join(name), content).unwrap();
    }
    change(&folder);
    load_entry(&TINY, &Folder::at(dir.path()))
}

fn compress(folder: &Path, name: &str, cut: usize) {
    let content = gz(&fs::read(folder.join(name)).unwrap());
    fs::write(folder.join(format!("{name}.gz")), &content[..content.len() - cut]).unwrap();
    fs::remove_file(folder.join(name)).unwrap();
}

#[test]
fn plain_and_compressed_files_in_either_folder_give_the_same_data() {
    let plain = load_with("M/raw", |_| {}).unwrap();
    assert_eq!(plain.train.labels(), [9, 0, 4]);
    let compressed = load_with("m", |folder| files().iter().for_each(|f| compress(folder, f.0, 0))).unwrap();
    assert_eq!(plain.hash, compressed.hash);
    let mut row = [0.0; 4];
    plain.train.write(1, crate::View::Plain, &mut row);
    assert_eq!(row[0], (4.0f32 / 255.0 - 0.1307) / 0.3081);
}

#[test]
fn every_fault_names_the_file_what_was_found_and_the_remedy() {
    let message = |change: &dyn Fn(&Path)| {
        let error = load_with("m", change).unwrap_err();
        assert_eq!(error.remedy(), Some(Remedy::Fetch { name: "mnist" }), "{error}");
        error.to_string()
    };
    let set = |folder: &Path, name: &str, content: &[u8]| fs::write(folder.join(name), content).unwrap();

    let text = message(&|f| set(f, "train-images", &files()[0].1[..20]));
    assert!(text.contains("train-images: expected 28 bytes, found 20"), "{text}");
    let text = message(&|f| {
        set(f, "train-images", &files()[0].1[..20]);
        compress(f, "train-images", 0);
    });
    assert!(text.contains("train-images.gz: expected 28 bytes, found 20 after decompression"), "{text}");
    let text = message(&|f| compress(f, "test-images", 12));
    assert!(text.contains("test-images.gz: expected 24 bytes, found"), "{text}");
    let text = message(&|f| {
        set(f, "test-labels", &idx(&[2], &[1, 2, 3]));
        compress(f, "test-labels", 0);
    });
    assert!(text.contains("expected 10 bytes, found 11"), "{text}");
    let text = message(&|f| set(f, "test-labels", &idx(&[2], &[1, 10])));
    assert!(text.contains("test-labels: sample 1 has label 10"), "{text}");
    let text = message(&|f| {
        let mut content = files()[1].1.clone();
        content[3] = 3;
        set(f, "train-labels", &content);
    });
    assert!(text.contains("magic 0x00000803 and sizes [3], expected 0x00000801"), "{text}");
    // As many bytes, in another shape.
    let text = message(&|f| set(f, "train-images", &idx(&[3, 1, 4], &[0; 12])));
    assert!(text.contains("sizes [3, 1, 4], expected 0x00000803 and [3, 2, 2]"), "{text}");
    let text = message(&|f| set(f, "train-labels", &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 255]));
    assert!(text.contains("train-labels: "), "{text}");
    let text = message(&|f| fs::remove_file(f.join("test-labels")).unwrap());
    assert!(text.contains("incomplete: test-labels is missing"), "{text}");
}

proptest! {
    #[test]
    fn noise_never_panics(noise in proptest::collection::vec(any::<u8>(), 0..40), compressed in any::<bool>()) {
        let _ = load_with("m", |folder| {
            fs::remove_file(folder.join("train-images")).unwrap();
            let head = if compressed { &[0x1f, 0x8b, 8][..] } else { &[0, 0, 8, 3] };
            fs::write(folder.join("train-images.gz"), [head, &noise].concat()).unwrap();
        });
    }
}
