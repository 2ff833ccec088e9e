//! Whether the files on disk are the published ones, byte for byte.

use std::path::PathBuf;

use serde::Serialize;

use crate::catalogue::{self, CatalogueEntry, DataFile, FilePart};
use crate::digest::md5_of;
use crate::presence::{FoundLayout, absent, present};
use crate::{DataSpec, Error, Folder};

/// A file and the result of its check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileCheck {
    /// The file.
    pub path: PathBuf,
    /// The result.
    pub outcome: Outcome,
}

/// The result of checking a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// It is the published file.
    Ok,
    /// It is a different file.
    Wrong {
        /// The published MD5.
        expected: String,
        /// Its own.
        found: String,
    },
    /// It does not exist.
    Missing,
    /// No hash was published for it; its length is right, or any length is allowed.
    Unpublished {
        /// Its own MD5.
        found: String,
    },
    /// No hash was published, but its length is wrong.
    WrongLength {
        /// The length required by the format.
        expected: u64,
        /// Its own.
        found: u64,
    },
}

impl Outcome {
    /// Whether the file passed every check that exists.
    pub fn is_good(&self) -> bool {
        matches!(self, Self::Ok | Self::Unpublished { .. })
    }
}

/// Hashes every file of a data set, in every layout on disk. Built-in data sets have no files.
pub fn verify(name: &str, folder: &Folder) -> Result<Vec<FileCheck>, Error> {
    let source = DataSpec::named(name)?;
    match catalogue::find(source.name()) {
        Some(entry) => verify_entry(entry, folder),
        None => Ok(Vec::new()),
    }
}

pub(crate) fn verify_entry(entry: &'static CatalogueEntry, folder: &Folder) -> Result<Vec<FileCheck>, Error> {
    let layouts = present(entry, folder);
    if layouts.is_empty() {
        return Err(absent(entry, folder));
    }
    let mut checks = Vec::new();
    for found in &layouts {
        for file in found.layout.files {
            checks.extend(check(found, file)?);
        }
    }
    Ok(checks)
}

fn check(found: &FoundLayout, file: &DataFile) -> Result<Option<FileCheck>, Error> {
    let Some(path) = found.path(file) else {
        // Training does not need the extra files, so their absence is not reported.
        let missing = FileCheck { path: found.folder.join(file.name), outcome: Outcome::Missing };
        return Ok((file.part != FilePart::Extra).then_some(missing));
    };
    let hash = md5_of(&path)?;
    let plain = path.file_name().is_some_and(|name| name == file.name);
    let length = path.metadata().map_err(Error::io("read", &path))?.len();
    let outcome = match (if plain { file.md5 } else { file.gz_md5 }, file.bytes) {
        (Some(expected), _) if expected == hash => Outcome::Ok,
        (Some(expected), _) => Outcome::Wrong { expected: expected.to_owned(), found: hash },
        (None, Some(expected)) if plain && expected != length => {
            Outcome::WrongLength { expected, found: length }
        }
        (None, _) => Outcome::Unpublished { found: hash },
    };
    Ok(Some(FileCheck { path, outcome }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{DiskLayout, FileFormat, MNIST};

    const fn file(name: &'static str, md5: Option<&'static str>, gz_md5: Option<&'static str>) -> DataFile {
        DataFile { name, part: FilePart::Train, bytes: Some(3), md5, gz_md5 }
    }

    /// The MD5 of `abc` (RFC 1321).
    const ABC: &str = "900150983cd24fb0d6963f7d28e17f72";

    static ENTRY: CatalogueEntry = CatalogueEntry {
        layouts: &[DiskLayout {
            format: FileFormat::Idx,
            folders: &["raw"],
            files: &[
                file("right", Some(ABC), None),
                file("wrong", Some("00"), None),
                file("packed", Some("00"), Some(ABC)),
                file("unknown", None, None),
                file("long", None, None),
                file("gone", Some(ABC), None),
                DataFile { name: "extra", part: FilePart::Extra, bytes: None, md5: None, gz_md5: None },
            ],
        }],
        ..MNIST
    };

    #[test]
    fn each_file_is_judged_by_what_was_published_for_it() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::at(dir.path());
        assert!(matches!(verify_entry(&ENTRY, &folder), Err(Error::Missing { name: "mnist", .. })));
        std::fs::create_dir(dir.path().join("raw")).unwrap();
        for name in ["right", "wrong", "packed.gz", "unknown"] {
            std::fs::write(dir.path().join("raw").join(name), "abc").unwrap();
        }
        std::fs::write(dir.path().join("raw/long"), "abcd").unwrap();
        let outcomes: Vec<_> =
            verify_entry(&ENTRY, &folder).unwrap().into_iter().map(|check| check.outcome).collect();
        let expected = [
            Outcome::Ok,
            Outcome::Wrong { expected: "00".to_owned(), found: ABC.to_owned() },
            Outcome::Ok,
            Outcome::Unpublished { found: ABC.to_owned() },
            Outcome::WrongLength { expected: 3, found: 4 },
            Outcome::Missing,
        ];
        assert_eq!(outcomes, expected);
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_good()).count(), 3);
    }

    #[test]
    fn built_in_sets_have_no_files_to_check() {
        assert_eq!(verify("digits", &Folder::at("nowhere")).unwrap(), []);
    }
}
