//! The errors of this crate.
//!
//! Each message names the file or the key and what was found there. What to do about it is [`Error::remedy`], which the
//! program turns into a command.

use std::io;
use std::path::{Path, PathBuf};

/// Why a data set cannot be used, fetched or verified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No data set has this name.
    #[error("there is no data set `{name}`; the names are {}", crate::DataSpec::NAMES.join(", "))]
    UnknownName {
        /// The name asked for.
        name: String,
    },
    /// A user's own file of arrays cannot be used.
    #[error("{path}: {fault}")]
    Own {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        fault: arrays::Fault,
    },
    /// An impossible value of a teacher.
    #[error("teacher.{key} = {value}: {rule}")]
    Teacher {
        /// The key of the teacher.
        key: &'static str,
        /// The value it has.
        value: String,
        /// What the value must be.
        rule: &'static str,
    },
    /// Neither `CREDITSCOPE_DATA` nor a home folder is known.
    #[error("no folder for data: set CREDITSCOPE_DATA (HOME is not set either)")]
    NoFolder,
    /// The data set is not in the folder.
    #[error("{title} is not in {folder}: looked for {}", .looked.join(", "))]
    Missing {
        /// The data set.
        name: &'static str,
        /// Its title.
        title: &'static str,
        /// The data folder.
        folder: PathBuf,
        /// The folders inside it that were looked for.
        looked: Vec<String>,
    },
    /// Some files of the data set are missing or too short.
    #[error("{title} in {folder} is incomplete: {}", .problems.join("; "))]
    Incomplete {
        /// The data set.
        name: &'static str,
        /// Its title.
        title: &'static str,
        /// The folder of the files.
        folder: PathBuf,
        /// What is wrong, file by file.
        problems: Vec<String>,
    },
    /// A file is shorter or longer than the format says.
    #[error(
        "{path}: expected {expected} bytes, found {found}{}; the file is damaged or cut short",
        if *.unpacked { " after decompression" } else { "" }
    )]
    Length {
        /// The data set.
        name: &'static str,
        /// The file.
        path: PathBuf,
        /// Bytes it must have.
        expected: u64,
        /// Bytes it has.
        found: u64,
        /// Whether the counts are of decompressed bytes.
        unpacked: bool,
    },
    /// A file whose hash is not the published one.
    #[error(
        "{path}: its MD5 is {found}, the published one is {expected}; the file is damaged or a different one"
    )]
    WrongFile {
        /// The data set.
        name: &'static str,
        /// The file.
        path: PathBuf,
        /// The published hash.
        expected: String,
        /// Its own.
        found: String,
    },
    /// Readable files whose samples are not those of the data set.
    #[error("the samples are not those of {name}: their SHA-256 is {found}, it should be {expected}")]
    Content {
        /// The data set.
        name: &'static str,
        /// Hash of what was read.
        found: String,
        /// Hash of the data set.
        expected: &'static str,
    },
    /// A file is not in its format.
    #[error("{path}: {what}")]
    Format {
        /// The data set.
        name: &'static str,
        /// The file.
        path: PathBuf,
        /// What was found and what was expected.
        what: String,
    },
    /// A label is not a class of the data set.
    #[error("{path}: sample {index} has label {label}, but {name} has the classes 0 to {}", classes - 1)]
    Label {
        /// The data set.
        name: &'static str,
        /// The file.
        path: PathBuf,
        /// The sample, counted from 0.
        index: usize,
        /// Its label.
        label: i64,
        /// How many classes there are.
        classes: usize,
    },
    /// A pickle asks Python to call something that data never needs.
    #[error(
        "refused: {path} asks to run `{global}`, which a file of images does not need; nothing was run. The file is \
         not the official one and may be malicious: delete it"
    )]
    Refused {
        /// The data set.
        name: &'static str,
        /// The file.
        path: PathBuf,
        /// What it asks for, as `module.name`.
        global: String,
    },
    /// The data set needs no files.
    #[error("`{name}` is built into the program: there is nothing to fetch")]
    BuiltIn {
        /// The data set.
        name: String,
    },
    /// A server did not send the file.
    #[error("{url}: the server answered {status}")]
    Status {
        /// The data set.
        name: &'static str,
        /// The address.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// No connection could be made.
    #[error("{url}: no connection ({why}). Check the network (and HTTPS_PROXY)")]
    Connection {
        /// The data set.
        name: &'static str,
        /// The address.
        url: String,
        /// What the network layer said.
        why: String,
    },
    /// No byte arrived for a while.
    #[error(
        "{url}: nothing arrived for {seconds} s, after {got} of {total} bytes. The part on disk is kept; fetching again \
         resumes there"
    )]
    Stalled {
        /// The address.
        url: String,
        /// The time limit.
        seconds: u64,
        /// Bytes on disk.
        got: u64,
        /// Bytes of the whole file.
        total: u64,
    },
    /// The connection ended before the file did.
    #[error(
        "{url}: the connection broke after {got} of {total} bytes ({why}). The part on disk is kept; fetching again \
         resumes there"
    )]
    Cut {
        /// The address.
        url: String,
        /// Bytes on disk.
        got: u64,
        /// Bytes of the whole file.
        total: u64,
        /// What the network layer said.
        why: String,
    },
    /// A file is not the published one.
    #[error("{path}: its MD5 is {found}, the published one is {expected}; {}",
        if .downloaded.is_some() { "the download was removed" } else { "nothing was installed" })]
    Hash {
        /// The file.
        path: PathBuf,
        /// The published hash.
        expected: String,
        /// The file's hash.
        found: String,
        /// The data set it was downloaded for; none for an imported file.
        downloaded: Option<&'static str>,
    },
    /// An archive cannot be unpacked, or should not be.
    #[error("{archive}: {what}; nothing was installed")]
    Archive {
        /// The archive.
        archive: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The path to import is not the data set.
    #[error("{from}: {what}. For {name} give one of: {}", .accepted.join("; "))]
    NotRecognised {
        /// The data set.
        name: &'static str,
        /// The path given.
        from: PathBuf,
        /// What was found there.
        what: String,
        /// What would be accepted.
        accepted: Vec<String>,
    },
    /// Another process fetches the same file.
    #[error("{path} is being written by another download; wait for it to end")]
    Busy {
        /// The file both want.
        path: PathBuf,
    },
    /// The user asked to stop.
    #[error("stopped; the part on disk is kept, and fetching again resumes there")]
    Interrupted,
    /// The operating system refused something.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Error {
    /// For `map_err`: an I/O error with the action and the path.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_path_buf();
        move |source| Error::Io { action, path, source }
    }

    /// The same for what the durable writer says.
    pub(crate) fn durable(action: &'static str, path: &Path) -> impl FnOnce(record::Error) -> Error {
        let wrap = Self::io(action, path);
        move |error| match error {
            record::Error::Io { source, .. } => wrap(source),
            // It reads nothing that it could misunderstand.
            other => wrap(io::Error::other(other.to_string())),
        }
    }
}
