//! Finding a data set in the folder without reading it.

use std::path::{Path, PathBuf};

use crate::catalogue::{DataFile, Entry, Format, Layout, Part};
use crate::{Error, Folder};

/// What of a data set is in the folder.
#[derive(Debug)]
pub(crate) enum Presence {
    /// All of it, in this layout.
    Complete(Found),
    /// A folder of the layout, with something wrong in it.
    Incomplete(Found, Vec<Problem>),
    /// Nothing.
    Absent,
}

/// A layout on disk.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) layout: &'static Layout,
    pub(crate) folder: PathBuf,
}

/// Why a file cannot be read.
#[derive(Debug, PartialEq)]
pub(crate) enum Problem {
    Missing { file: &'static str },
    Length { path: PathBuf, expected: u64, found: u64 },
}

impl std::fmt::Display for Problem {
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

impl Found {
    /// Where a file of the layout lies: under `NAME.gz` if it may be compressed, or under its name.
    pub(crate) fn path(&self, file: &DataFile) -> Option<PathBuf> {
        path_in(&self.folder, file)
    }

    /// What training would stumble over.
    fn problems(&self, entry: &Entry) -> Vec<Problem> {
        let needed = self.layout.files.iter().filter(|file| file.part != Part::Extra);
        needed.filter_map(|file| self.problem(entry, file)).collect()
    }

    fn problem(&self, entry: &Entry, file: &DataFile) -> Option<Problem> {
        let Some(path) = self.path(file) else {
            return Some(Problem::Missing { file: file.name });
        };
        let found = path.metadata().map_or(0, |meta| meta.len());
        let plain = path.file_name().is_some_and(|name| name == file.name);
        match file.bytes {
            Some(expected) if plain && found != expected => Some(Problem::Length { path, expected, found }),
            // A pickle may have been saved again with other wrapping, but not with fewer pixels.
            None if self.layout.format == Format::CifarPickle => {
                let files = self.layout.files.iter().filter(|other| other.part == file.part).count();
                let samples = if file.part == Part::Train { entry.train } else { entry.test };
                let expected = (samples / files * entry.shape.len()) as u64;
                (found < expected).then_some(Problem::Length { path, expected, found })
            }
            _ => None,
        }
    }
}

/// The path of a file in a folder: of its compressed form if that is there, since that is what is fetched and what has
/// a published hash, so that fetching heals a damaged plain copy.
pub(crate) fn path_in(folder: &Path, file: &DataFile) -> Option<PathBuf> {
    let compressed = file.gz_md5.map(|_| folder.join(format!("{}.gz", file.name)));
    let plain = folder.join(file.name);
    compressed.into_iter().chain([plain]).find(|path| path.is_file())
}

/// Every layout of which at least one file is there.
pub(crate) fn present(entry: &'static Entry, folder: &Folder) -> Vec<Found> {
    let mut all = Vec::new();
    for layout in entry.layouts {
        for name in layout.folders {
            let found = Found { layout, folder: folder.path().join(name) };
            if layout.files.iter().any(|file| found.path(file).is_some()) {
                all.push(found);
            }
        }
    }
    all
}

/// The layout to read: the first that is complete, else the first of which something is there.
pub(crate) fn locate(entry: &'static Entry, folder: &Folder) -> Presence {
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
pub(crate) fn require(entry: &'static Entry, folder: &Folder) -> Result<Found, Error> {
    let (name, title) = (entry.name, entry.title);
    match locate(entry, folder) {
        Presence::Complete(found) => Ok(found),
        Presence::Absent => Err(absent(entry, folder)),
        Presence::Incomplete(found, mut problems) => Err(match (problems.len(), problems.pop()) {
            (1, Some(Problem::Length { path, expected, found })) => {
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

/// The error for a data set that is not there.
pub(crate) fn absent(entry: &Entry, folder: &Folder) -> Error {
    let looked = entry.layouts.iter().flat_map(|layout| layout.folders).map(|f| format!("{f}/")).collect();
    Error::Missing { name: entry.name, title: entry.title, folder: folder.path().to_path_buf(), looked }
}

/// The error for a file that was there a moment ago.
pub(crate) fn vanished(entry: &Entry, found: &Found, file: &DataFile) -> Error {
    let problems = vec![Problem::Missing { file: file.name }.to_string()];
    Error::Incomplete { name: entry.name, title: entry.title, folder: found.folder.clone(), problems }
}
