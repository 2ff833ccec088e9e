//! Getting a data set: from its official address, or from a file or folder that is already here.
//!
//! Whatever the way, files are checked against their published hashes and appear in the data folder whole or not at
//! all: a download grows under a name of its own, and what is unpacked or copied is renamed into place at the end.

mod connection;
mod download;
mod import;
mod install;
#[cfg(test)]
mod tests;
mod unpack;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::catalogue::{self, Entry, Package};
use crate::locate::{Presence, locate};
use crate::verify::verify_entry;
use crate::{DataSpec, Error, Folder};

/// How to fetch.
pub struct FetchOptions<'a> {
    /// A file or folder to take the data from, in place of the network.
    pub from: Option<PathBuf>,
    /// Another address that serves the same files.
    pub base_url: Option<String>,
    /// How long no byte may arrive before the download is given up.
    pub stall: Duration,
    /// Told what happens, many times a second.
    pub progress: &'a mut dyn FnMut(Progress<'_>),
    /// Asked often whether to stop.
    pub interrupted: &'a dyn Fn() -> bool,
}

/// What a fetch is doing.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// A download begins, or goes on after `done` bytes.
    Started {
        /// The address.
        url: &'a str,
        /// Bytes already on disk.
        done: u64,
        /// Bytes of the whole file.
        total: u64,
    },
    /// Bytes arrived.
    Downloaded {
        /// Bytes on disk.
        done: u64,
        /// Bytes of the whole file.
        total: u64,
    },
    /// An attempt failed and another one begins.
    Retrying {
        /// What went wrong.
        why: &'a Error,
    },
    /// A file's hash is computed.
    Verifying {
        /// The file.
        path: &'a Path,
    },
    /// An archive is unpacked or files are copied.
    Installing {
        /// Where they come from.
        path: &'a Path,
    },
}

/// What a fetch left on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The data set.
    pub name: &'static str,
    /// The folder that holds its files.
    pub folder: PathBuf,
    /// Whether they were there already, and are the published ones.
    pub already: bool,
    /// What is still missing, when single files were imported.
    pub problems: Vec<String>,
}

/// Gets a data set into the folder; returns at once where its files are there and right.
pub fn fetch(name: &str, folder: &Folder, options: FetchOptions<'_>) -> Result<Fetched, Error> {
    let source = DataSpec::named(name)?;
    let entry = catalogue::find(source.name()).ok_or(Error::BuiltIn { name: source.name() })?;
    fetch_entry(entry, folder, options)
}

fn fetch_entry(
    entry: &'static Entry,
    folder: &Folder,
    mut options: FetchOptions<'_>,
) -> Result<Fetched, Error> {
    if let Presence::Complete(found) = locate(entry, folder) {
        (options.progress)(Progress::Verifying { path: &found.folder });
        let checks = verify_entry(entry, folder)?;
        let here = checks.iter().filter(|check| check.path.starts_with(&found.folder));
        if here.into_iter().all(|check| check.outcome.is_good()) {
            return Ok(Fetched {
                name: entry.name,
                folder: found.folder,
                already: true,
                problems: Vec::new(),
            });
        }
    }
    std::fs::create_dir_all(folder.path()).map_err(Error::io("create", folder.path()))?;
    let layout = match options.from.take() {
        Some(from) => import::import(entry, folder, &from, &mut options)?,
        None => {
            for package in entry.packages.iter().filter(|package| package.fetched) {
                fetch_package(entry, package, folder, &mut options)?;
            }
            entry.packages.iter().find(|package| package.fetched).map_or(0, |package| package.layout)
        }
    };
    let target = folder.path().join(entry.layouts[layout].folders[0]);
    let (folder, problems) = match locate(entry, folder) {
        Presence::Complete(found) => (found.folder, Vec::new()),
        Presence::Incomplete(found, problems) => {
            (found.folder, problems.iter().map(ToString::to_string).collect())
        }
        Presence::Absent => (target, Vec::new()),
    };
    Ok(Fetched { name: entry.name, folder, already: false, problems })
}

/// Downloads one published file and puts what it holds in place.
fn fetch_package(
    entry: &'static Entry,
    package: &'static Package,
    folder: &Folder,
    options: &mut FetchOptions<'_>,
) -> Result<(), Error> {
    let layout = &entry.layouts[package.layout];
    let target = folder.path().join(layout.folders[0]);
    if package.is_archive() {
        let part = folder.path().join(format!("{}.part", package.file));
        let held = download::download(entry, package, &part, options)?;
        (options.progress)(Progress::Installing { path: &part });
        let unpacked = unpack::unpack(&part, layout, folder, options.interrupted)?;
        install::install(unpacked, &target)?;
        drop(held);
        return std::fs::remove_file(&part).map_err(Error::io("remove", &part));
    }
    let path = target.join(package.file);
    if path.is_file() && crate::digest::md5_of(&path)? == package.md5 {
        return Ok(());
    }
    std::fs::create_dir_all(&target).map_err(Error::io("create", &target))?;
    let part = target.join(format!("{}.part", package.file));
    let held = download::download(entry, package, &part, options)?;
    held.sync_all().map_err(Error::io("write", &part))?;
    std::fs::rename(&part, &path).map_err(Error::io("rename", &part))
}
