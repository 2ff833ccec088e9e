//! The data sets that are files: their addresses, sizes, layouts and hashes.
//!
//! Loading, `list`, `verify` and `fetch` all read this table. Hashes are the MD5 sums that the authors and torchvision
//! publish; `verify` reports files without one.

mod published;

use crate::{Dimensions, ImageShape};

pub use published::{CIFAR10, CIFAR100, FASHION_MNIST, MNIST};

/// A data set on disk.
#[derive(Debug, PartialEq)]
pub struct CatalogueEntry {
    /// Its name in recipes.
    pub name: &'static str,
    /// Its name in sentences.
    pub title: &'static str,
    /// Whom to cite.
    pub citation: &'static str,
    /// The authors' terms.
    pub licence: &'static str,
    /// The shape of a sample.
    pub shape: ImageShape,
    /// Number of classes.
    pub classes: usize,
    /// Training samples.
    pub train: usize,
    /// Test samples.
    pub test: usize,
    /// Mean and standard deviation of each channel, for pixels from 0 to 1.
    pub moments: &'static [(f32, f32)],
    /// Its possible layouts on disk; the first complete one is read.
    pub layouts: &'static [DiskLayout],
    /// Addresses that serve the packages, the official one first.
    pub mirrors: &'static [&'static str],
    /// The published files; a download gets those marked `fetched`.
    pub packages: &'static [Package],
}

/// One layout of a data set on disk.
#[derive(Debug, PartialEq)]
pub struct DiskLayout {
    /// The format of the files.
    pub format: FileFormat,
    /// Folders that may hold the files; `fetch` writes to the first.
    pub folders: &'static [&'static str],
    /// The files, training before test.
    pub files: &'static [DataFile],
}

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// CIFAR's records of label bytes and pixels.
    CifarBinary,
    /// CIFAR's Python pickles, as torchvision unpacks them.
    CifarPickle,
    /// MNIST's IDX files: images and labels for training, then for the test; plain or compressed.
    Idx,
}

impl FileFormat {
    /// The name in lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::CifarBinary => "binary",
            Self::CifarPickle => "python",
            Self::Idx => "idx",
        }
    }
}

/// What a file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePart {
    /// Training samples.
    Train,
    /// Test samples.
    Test,
    /// Not needed for training.
    Extra,
}

/// A file of a layout.
#[derive(Debug, PartialEq)]
pub struct DataFile {
    /// Its name.
    pub name: &'static str,
    /// What it contains.
    pub part: FilePart,
    /// Its length, if the format fixes it.
    pub bytes: Option<u64>,
    /// Its published MD5.
    pub md5: Option<&'static str>,
    /// The published MD5 of its compressed form `NAME.gz`, if that is accepted too.
    pub gz_md5: Option<&'static str>,
}

/// A file published for download.
#[derive(Debug, PartialEq)]
pub struct Package {
    /// Its name on the server.
    pub file: &'static str,
    /// Its length.
    pub bytes: u64,
    /// Its MD5.
    pub md5: &'static str,
    /// Whether `fetch` downloads it; the others can be imported.
    pub fetched: bool,
    /// Its layout, an index into [`CatalogueEntry::layouts`].
    pub layout: usize,
}

impl Package {
    /// Whether it is an archive of the layout's files rather than one of them.
    pub(crate) fn is_archive(&self) -> bool {
        self.file.ends_with(".tar.gz")
    }
}

impl CatalogueEntry {
    /// The sizes of the data set.
    pub fn dimensions(&self) -> Dimensions {
        Dimensions { inputs: self.shape.len(), classes: self.classes, train: self.train, test: self.test }
    }

    /// Bytes of a download.
    pub fn download_bytes(&self) -> u64 {
        self.packages.iter().filter(|package| package.fetched).map(|package| package.bytes).sum()
    }
}

/// Every data set on disk, in the order of [`DataSpec::NAMES`](crate::DataSpec::NAMES).
pub const ALL: [&CatalogueEntry; 4] = [&CIFAR10, &CIFAR100, &MNIST, &FASHION_MNIST];

/// The entry of a data set on disk.
pub fn find(name: &str) -> Option<&'static CatalogueEntry> {
    ALL.into_iter().find(|entry| entry.name == name)
}
