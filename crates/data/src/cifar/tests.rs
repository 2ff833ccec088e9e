//! Both layouts on a tiny data set of the same form, and on the real one where it is present.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use crate::catalogue::{
    CIFAR10, CIFAR100, CatalogueEntry, DataFile, DiskLayout, FileFormat, FilePart, Package,
};
use crate::load::load_entry;
use crate::{DataSpec, Error, Folder, ImageShape, Remedy, View};

const SHAPE: ImageShape = ImageShape { channels: 3, height: 2, width: 2 };

const fn file(name: &'static str, part: FilePart, bytes: Option<u64>) -> DataFile {
    DataFile { name, part, bytes, md5: None, gz_md5: None }
}

/// CIFAR's form with 2 + 2 training and 2 test images of 2×2 pixels.
static TINY: CatalogueEntry = CatalogueEntry {
    shape: SHAPE,
    train: 4,
    test: 2,
    layouts: &[
        DiskLayout {
            format: FileFormat::CifarBinary,
            folders: &["bin"],
            files: &[
                file("a.bin", FilePart::Train, Some(26)),
                file("b.bin", FilePart::Train, Some(26)),
                file("t.bin", FilePart::Test, Some(26)),
            ],
        },
        DiskLayout {
            format: FileFormat::CifarPickle,
            folders: &["py"],
            files: &[
                file("a", FilePart::Train, None),
                file("b", FilePart::Train, None),
                file("t", FilePart::Test, None),
                file("meta", FilePart::Extra, None),
            ],
        },
    ],
    packages: &[] as &[Package],
    ..CIFAR10
};

/// The same with CIFAR-100's two label bytes.
static TINY_FINE: CatalogueEntry = CatalogueEntry {
    shape: SHAPE,
    train: 2,
    test: 1,
    layouts: &[DiskLayout {
        format: FileFormat::CifarBinary,
        folders: &["bin"],
        files: &[file("a.bin", FilePart::Train, Some(28)), file("t.bin", FilePart::Test, Some(14))],
    }],
    ..CIFAR100
};

fn records(labels: &[u8], first_pixel: u8) -> Vec<u8> {
    labels.iter().flat_map(|&label| std::iter::once(label).chain(first_pixel..first_pixel + 12)).collect()
}

/// A protocol-2 pickle of the same images, as Python 2 writes it.
fn pickled(labels: &[u8], first_pixel: u8) -> Vec<u8> {
    let pixels: Vec<u8> = labels.iter().flat_map(|_| first_pixel..first_pixel + 12).collect();
    let mut out = b"\x80\x02}q\x01(U\x06labelsq\x02](".to_vec();
    labels.iter().for_each(|&label| out.extend([b'K', label]));
    out.extend(
        b"eU\x04datacnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85U\x01b\x87R(K\x01K",
    );
    out.extend([labels.len() as u8, b'K', 12]);
    out.extend(b"\x86cnumpy\ndtype\nU\x02u1K\x00K\x01\x87R(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89U");
    out.push(pixels.len() as u8);
    out.extend(pixels);
    out.extend(b"tbu.");
    out
}

fn tiny() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for sub in ["bin", "py"] {
        fs::create_dir(dir.path().join(sub)).unwrap();
    }
    for (name, labels, first) in [("a", [1, 2], 10), ("b", [3, 9], 20), ("t", [0, 5], 30)] {
        fs::write(dir.path().join(format!("bin/{name}.bin")), records(&labels, first)).unwrap();
        fs::write(dir.path().join(format!("py/{name}")), pickled(&labels, first)).unwrap();
    }
    dir
}

fn load(dir: &Path) -> Result<crate::Dataset, Error> {
    load_entry(&TINY, &Folder::at(dir))
}

#[test]
fn both_layouts_give_the_same_data() {
    let dir = tiny();
    let binary = load(dir.path()).unwrap();
    assert_eq!(binary.train.labels(), [1, 2, 3, 9]);
    assert_eq!(binary.test.labels(), [0, 5]);
    let mut row = [0.0; 12];
    binary.train.write(2, View::Plain, &mut row);
    // Pixel 4 is the first of the green plane: value 24, green's mean and deviation.
    assert_eq!(row[4], (24.0f32 / 255.0 - 0.4822) / 0.2435);
    fs::remove_dir_all(dir.path().join("bin")).unwrap();
    let pickled = load(dir.path()).unwrap();
    assert_eq!(binary.hash, pickled.hash);
}

#[test]
fn a_complete_layout_is_taken_when_the_other_is_broken() {
    let dir = tiny();
    fs::remove_file(dir.path().join("bin/b.bin")).unwrap();
    assert!(load(dir.path()).is_ok());
}

#[test]
fn cifar_100_trains_on_the_fine_label() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("bin")).unwrap();
    let record = |coarse, fine| [&[coarse, fine][..], &[7; 12]].concat();
    fs::write(dir.path().join("bin/a.bin"), [record(3, 77), record(4, 99)].concat()).unwrap();
    fs::write(dir.path().join("bin/t.bin"), record(19, 0)).unwrap();
    let data = load_entry(&TINY_FINE, &Folder::at(dir.path())).unwrap();
    assert_eq!(data.train.labels(), [77, 99]);
}

#[test]
fn every_fault_names_the_file_and_the_remedy() {
    let name = "cifar10";
    let error = |change: &dyn Fn(&Path)| {
        let dir = tiny();
        change(dir.path());
        load(dir.path()).unwrap_err()
    };
    let message = |change: &dyn Fn(&Path)| {
        let error = error(change);
        assert_eq!(error.remedy(), Some(Remedy::Fetch { name }), "{error}");
        error.to_string()
    };
    let only_pickles = |dir: &Path| fs::remove_dir_all(dir.join("bin")).unwrap();
    let only_binary = |dir: &Path| fs::remove_dir_all(dir.join("py")).unwrap();

    let text = message(&|dir| {
        only_binary(dir);
        fs::write(dir.join("bin/b.bin"), [0; 20]).unwrap();
    });
    assert!(text.contains("b.bin: expected 26 bytes, found 20"), "{text}");
    let text = message(&|dir| {
        only_binary(dir);
        fs::remove_file(dir.join("bin/t.bin")).unwrap();
    });
    assert!(text.contains("incomplete: t.bin is missing"), "{text}");
    let text = message(&|dir| {
        only_binary(dir);
        fs::write(dir.join("bin/b.bin"), records(&[3, 10], 0)).unwrap();
    });
    assert!(text.contains("b.bin: sample 1 has label 10, but cifar10 has the classes 0 to 9"), "{text}");
    let text = message(&|dir| {
        only_pickles(dir);
        fs::write(dir.join("py/a"), b"\x80\x02cos\nsystem\nU\x0becho hello..\x85R.").unwrap();
    });
    assert!(text.contains("refused: ") && text.contains("asks to run `os.system`"), "{text}");
    let text = message(&|dir| {
        only_pickles(dir);
        fs::write(dir.join("py/a"), pickled(&[1, 2, 3], 0)).unwrap();
    });
    assert!(text.contains("`data` has shape [3, 12], expected [2, 12]"), "{text}");
    let missing =
        error(&|dir| fs::remove_dir_all(dir.join("bin")).and(fs::remove_dir_all(dir.join("py"))).unwrap());
    assert_eq!(missing.remedy(), Some(Remedy::Locate { name }));
    let text = missing.to_string();
    assert!(text.contains("CIFAR-10 is not in ") && text.contains("looked for bin/, py/"), "{text}");
}

proptest! {
    #[test]
    fn damaged_pickles_never_panic(at in 0usize..200, byte in any::<u8>(), cut in 0usize..220) {
        let dir = tiny();
        fs::remove_dir_all(dir.path().join("bin")).unwrap();
        let mut content = pickled(&[1, 2], 10);
        if let Some(place) = content.get_mut(at) {
            *place = byte;
        }
        content.truncate(cut);
        fs::write(dir.path().join("py/a"), content).unwrap();
        let _ = load(dir.path());
    }
}

#[test]
#[cfg_attr(not(with_data), ignore = "set CREDITSCOPE_DATA to a folder that holds CIFAR-10")]
fn the_real_cifar_10_has_its_known_content_in_every_layout_present() {
    let folder =
        std::env::var_os(crate::data_folder::VARIABLE).map(Folder::at).expect("it was there at build time");
    let layouts = crate::presence::present(&CIFAR10, &folder);
    assert!(
        !layouts.is_empty(),
        "no CIFAR-10 in {}: `creditscope data fetch cifar10`",
        folder.path().display()
    );
    for found in layouts {
        let (train, _) = super::read(&CIFAR10, &found).unwrap();
        // First labels of the first batch: frog, truck, truck, deer, automobile.
        assert_eq!(train.labels[..5], [6, 9, 9, 4, 1], "{found:?}");
        assert!((0..10).all(|class| train.labels.iter().filter(|&&l| l == class).count() == 5000));
        // First pixels of the first image's red plane.
        assert_eq!(train.pixels[..4], [59, 43, 50, 68]);
    }
    let data = crate::load(&DataSpec::OnDisk(&crate::catalogue::CIFAR10), &folder).unwrap();
    assert_eq!(data.hash, crate::load::CIFAR10_HASH);
}
