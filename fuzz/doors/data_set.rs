//! Data sets on disk.

use super::{FOLDER, accepted, file};
use data::catalogue::{CatalogueEntry, DataFile, DiskLayout, FileFormat, FilePart};

const fn data_file(name: &'static str, part: FilePart) -> DataFile {
    DataFile { name, part, bytes: None, md5: None, gz_md5: None }
}

/// A data set of two images of 2 × 2 pixels in each split.
const fn tiny(channels: usize, layouts: &'static [DiskLayout]) -> CatalogueEntry {
    CatalogueEntry {
        name: "tiny",
        title: "Tiny",
        citation: "",
        licence: "",
        shape: data::ImageShape { channels, height: 2, width: 2 },
        classes: 10,
        train: 2,
        test: 2,
        moments: if channels == 1 { &[(0.5, 0.5)] } else { &[(0.5, 0.5), (0.5, 0.5), (0.5, 0.5)] },
        layouts,
        mirrors: &[],
        packages: &[],
    }
}

static IDX: CatalogueEntry = tiny(
    1,
    &[DiskLayout {
        format: FileFormat::Idx,
        folders: &["idx"],
        files: &[
            data_file("images", FilePart::Train),
            data_file("labels", FilePart::Train),
            data_file("test-images", FilePart::Test),
            data_file("test-labels", FilePart::Test),
        ],
    }],
);
static CIFAR: CatalogueEntry = tiny(
    3,
    &[DiskLayout {
        format: FileFormat::CifarBinary,
        folders: &["cifar"],
        files: &[data_file("train", FilePart::Train), data_file("test", FilePart::Test)],
    }],
);
static PICKLE: CatalogueEntry = tiny(
    3,
    &[DiskLayout {
        format: FileFormat::CifarPickle,
        folders: &["pickle"],
        files: &[data_file("train", FilePart::Train), data_file("test", FilePart::Test)],
    }],
);

fn data_set(entry: &'static CatalogueEntry) -> bool {
    let folder = data::Folder::at(FOLDER.path());
    accepted(&data::load_entry(entry, &folder), entry.layouts[0].folders[0])
}

/// The first byte is the length of the file of labels, which follows; the rest is the file of images.
pub(crate) fn idx(bytes: &[u8]) -> bool {
    let Some((&length, rest)) = bytes.split_first() else { return false };
    let (labels, images) = rest.split_at(usize::from(length).min(rest.len()));
    for split in ["", "test-"] {
        file(&format!("idx/{split}labels"), labels);
        file(&format!("idx/{split}images"), images);
    }
    data_set(&IDX)
}

pub(crate) fn cifar(bytes: &[u8]) -> bool {
    file("cifar/train", bytes);
    file("cifar/test", bytes);
    data_set(&CIFAR)
}

pub(crate) fn pickle(bytes: &[u8]) -> bool {
    file("pickle/train", bytes);
    file("pickle/test", bytes);
    data_set(&PICKLE)
}
