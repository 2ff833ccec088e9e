//! Finding a data set in the folder without reading it.

use std::path::{Path, PathBuf};

use crate::catalogue::{CatalogueEntry, DataFile, DiskLayout, FileFormat, FilePart};
use crate::{Error, Folder};

/// How much of a data set is in the folder.
#[derive(Debug)]
pub(crate) enum Presence {
    /// All of it, in this layout.
    Complete(FoundLayout),
    /// A folder of the layout, with something wrong in it.
    Incomplete(FoundLayout, Vec<FileProblem>),
    /// Nothing.
    Absent,
}

/// A layout on disk.
#[derive(Debug)]
pub(crate) struct FoundLayout {
    pub(crate) layout: &'static DiskLayout,
    pub(crate) folder: PathBuf,
}

/// Why a file cannot be read.
#[derive(Debug, PartialEq)]
pub(crate) enum FileProblem {
    Missing { file: &'static str },
    Length { path: PathBuf, expected: u64, found: u64 },
}

impl std::fmt::Display for FileProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing { file } => write!(f, "{file} is missing"),
            Self::Length { path, expected, found } => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                write!(f, "{name} has {found} bytes where {expected} are expected")
            }
        }
    }
}

impl FoundLayout {
    /// The path of a file of the layout, see [`path_in`].
    pub(crate) fn path(&self, file: &DataFile) -> Option<PathBuf> {
        path_in(&self.folder, file)
    }

    /// Files that training needs and cannot use.
    fn problems(&self, entry: &CatalogueEntry) -> Vec<FileProblem> {
        let needed = self.layout.files.iter().filter(|file| file.part != FilePart::Extra);
        needed.filter_map(|file| self.problem(entry, file)).collect()
    }

    fn problem(&self, entry: &CatalogueEntry, file: &DataFile) -> Option<FileProblem> {
        let Some(path) = self.path(file) else {
            return Some(FileProblem::Missing { file: file.name });
        };
        let found = path.metadata().map_or(0, |meta| meta.len());
        let plain = path.file_name().is_some_and(|name| name == file.name);
        match file.bytes {
            Some(expected) if plain && found != expected => {
                Some(FileProblem::Length { path, expected, found })
            }
            // A pickle that was saved again may have another length, but not fewer pixels.
            None if self.layout.format == FileFormat::CifarPickle => {
                let files = self.layout.files.iter().filter(|other| other.part == file.part).count();
                let samples = if file.part == FilePart::Train { entry.train } else { entry.test };
                let expected = (samples / files * entry.shape.len()) as u64;
                (found < expected).then_some(FileProblem::Length { path, expected, found })
            }
            _ => None,
        }
    }
}

/// The path of a file in a folder, preferably of its compressed form `NAME.gz`: that one is fetched and has a published
/// hash, so fetching repairs a damaged plain copy.
pub(crate) fn path_in(folder: &Path, file: &DataFile) -> Option<PathBuf> {
    let compressed = file.gz_md5.map(|_| folder.join(format!("{}.gz", file.name)));
    let plain = folder.join(file.name);
    compressed.into_iter().chain([plain]).find(|path| path.is_file())
}

/// Every layout with at least one file.
pub(crate) fn present(entry: &'static CatalogueEntry, folder: &Folder) -> Vec<FoundLayout> {
    let mut all = Vec::new();
    for layout in entry.layouts {
        for name in layout.folders {
            let found = FoundLayout { layout, folder: folder.path().join(name) };
            if layout.files.iter().any(|file| found.path(file).is_some()) {
                all.push(found);
            }
        }
    }
    all
}

/// The layout to read: the first complete one, else the first with any file.
pub(crate) fn locate(entry: &'static CatalogueEntry, folder: &Folder) -> Presence {
    let mut first = None;
    for found in present(entry, folder) {
        let problems = found.problems(entry);
        if problems.is_empty() {
            return Presence::Complete(found);
        }
        first = first.or(Some((found, problems)));
    }
    first.map_or(Presence::Absent, |(found, problems)| Presence::Incomplete(found, problems))
}

/// The layout to read, or the error that says what is missing and how to get it.
pub(crate) fn require(entry: &'static CatalogueEntry, folder: &Folder) -> Result<FoundLayout, Error> {
    let &CatalogueEntry { name, title, .. } = entry;
    match locate(entry, folder) {
        Presence::Complete(found) => Ok(found),
        Presence::Absent => Err(absent(entry, folder)),
        Presence::Incomplete(found, mut problems) => Err(match (problems.len(), problems.pop()) {
            (1, Some(FileProblem::Length { path, expected, found })) => {
                Error::Length { name, path, expected, found, unpacked: false }
            }
            (_, last) => Error::Incomplete {
                name,
                title,
                folder: found.folder,
                problems: problems.into_iter().chain(last).map(|problem| problem.to_string()).collect(),
            },
        }),
    }
}

/// The error for a missing data set.
pub(crate) fn absent(entry: &CatalogueEntry, folder: &Folder) -> Error {
    let looked = entry.layouts.iter().flat_map(|layout| layout.folders).map(|f| format!("{f}/")).collect();
    Error::Missing { name: entry.name, title: entry.title, folder: folder.path().to_path_buf(), looked }
}

/// The error for a file that disappeared while loading.
pub(crate) fn vanished(entry: &CatalogueEntry, found: &FoundLayout, file: &DataFile) -> Error {
    let problems = vec![FileProblem::Missing { file: file.name }.to_string()];
    Error::Incomplete { name: entry.name, title: entry.title, folder: found.folder.clone(), problems }
}
