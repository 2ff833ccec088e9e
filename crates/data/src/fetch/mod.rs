//! Fetches a data set from its official address, or from a local file or folder.
//!
//! Either way, files are checked against their published hashes and appear in the data folder whole or not at all: what is
//! downloaded, unpacked or copied has a temporary name, and is moved into place at the end, when it is on the disk.

mod connection;
mod download;
mod import;
mod install;
#[cfg(test)]
mod tests;
mod unpack;

pub use connection::client;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::catalogue::{self, CatalogueEntry, Package};
use crate::presence::{Presence, locate};
use crate::verify::verify_entry;
use crate::{DataSpec, Error, Folder};
use record::durable;

/// How to fetch.
pub struct FetchOptions<'a> {
    /// A file or folder to take the data from, in place of the network.
    pub from: Option<PathBuf>,
    /// Another address that serves the same files.
    pub base_url: Option<String>,
    /// How long the server may stay silent before the download is given up.
    pub stall: Duration,
    /// Called many times per second.
    pub progress: &'a mut dyn FnMut(Progress<'_>),
    /// Asked often whether to stop.
    pub interrupted: &'a dyn Fn() -> bool,
}

/// What a fetch is doing.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// A download starts, or resumes after `done` bytes.
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
    /// An attempt failed and another one starts.
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
    /// Whether the published files were there already.
    pub already: bool,
    /// What is still missing after single files were imported.
    pub problems: Vec<String>,
}

/// Gets a data set into the folder, unless the right files are there already.
pub fn fetch(name: &str, folder: &Folder, options: FetchOptions<'_>) -> Result<Fetched, Error> {
    DataSpec::named(name)?;
    let entry = catalogue::find(name).ok_or_else(|| Error::BuiltIn { name: name.to_owned() })?;
    fetch_entry(entry, folder, options)
}

fn fetch_entry(
    entry: &'static CatalogueEntry,
    folder: &Folder,
    mut options: FetchOptions<'_>,
) -> Result<Fetched, Error> {
    durable::clean(folder.path());
    if let Presence::Complete(found) = locate(entry, folder) {
        (options.progress)(Progress::Verifying { path: &found.folder });
        let checks = verify_entry(entry, folder)?;
        let here = checks.iter().filter(|check| check.path.starts_with(&found.folder));
        if here.into_iter().all(|check| check.outcome.is_good()) {
            let problems = Vec::new();
            return Ok(Fetched { name: entry.name, folder: found.folder, already: true, problems });
        }
    }
    durable::create_folders(folder.path()).map_err(Error::durable("create", folder.path()))?;
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

/// Downloads one published file and installs its content.
fn fetch_package(
    entry: &'static CatalogueEntry,
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
    durable::create_folders(&target).map_err(Error::durable("create", &target))?;
    let part = target.join(format!("{}.part", package.file));
    let held = download::download(entry, package, &part, options)?;
    let mut whole = File::open(&part).map_err(Error::io("open", &part))?;
    durable::write_with(&path, |copy| std::io::copy(&mut whole, copy).map(|_| ()))
        .map_err(Error::durable("write", &path))?;
    drop(held);
    std::fs::remove_file(&part).map_err(Error::io("remove", &part))
}
