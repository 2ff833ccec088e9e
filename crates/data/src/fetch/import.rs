//! Imports a data set from local files.
//!
//! Accepted are an official archive, a folder with the layout's files, a folder that contains such a folder or the
//! archive, and single published files. Files are recognised by their hash, not by their name.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::install::{Staging, install};
use super::{FetchOptions, Progress, unpack};
use crate::catalogue::{CatalogueEntry, DiskLayout, FilePart};
use crate::digest::md5_of;
use crate::presence::path_in;
use crate::{Error, Folder};

/// Installs the files of `from`; returns the index of their layout.
pub(super) fn import(
    entry: &'static CatalogueEntry,
    folder: &Folder,
    from: &Path,
    options: &mut FetchOptions<'_>,
) -> Result<usize, Error> {
    if from.is_file() {
        return import_file(entry, folder, from, options);
    }
    if !from.is_dir() {
        return Err(not_recognised(entry, from, "there is no such file or folder".to_owned()));
    }
    for (index, layout) in entry.layouts.iter().enumerate() {
        let candidates =
            std::iter::once(from.to_path_buf()).chain(layout.folders.iter().map(|f| from.join(f)));
        if let Some(source) = candidates.into_iter().find(|source| is_whole(source, layout)) {
            import_folder(layout, folder, &source, options)?;
            return Ok(index);
        }
    }
    match entry.packages.iter().map(|package| from.join(package.file)).find(|path| path.is_file()) {
        Some(archive) if archive.to_string_lossy().ends_with(".tar.gz") => {
            import_file(entry, folder, &archive, options)
        }
        _ => {
            Err(not_recognised(entry, from, format!("no complete copy of {} is in this folder", entry.title)))
        }
    }
}

fn is_whole(folder: &Path, layout: &DiskLayout) -> bool {
    layout
        .files
        .iter()
        .filter(|file| file.part != FilePart::Extra)
        .all(|file| path_in(folder, file).is_some())
}

fn import_folder(
    layout: &'static DiskLayout,
    folder: &Folder,
    source: &Path,
    options: &mut FetchOptions<'_>,
) -> Result<(), Error> {
    (options.progress)(Progress::Installing { path: source });
    let staging = Staging::new(folder)?;
    for file in layout.files {
        if (options.interrupted)() {
            return Err(Error::Interrupted);
        }
        let Some(path) = path_in(source, file) else {
            continue;
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut reader = File::open(&path).map_err(Error::io("open", &path))?;
        staging.add(&mut reader, &path, file, &name)?;
    }
    install(staging, &folder.path().join(layout.folders[0]))
}

/// An archive, or one of the layout's files in either form.
fn import_file(
    entry: &'static CatalogueEntry,
    folder: &Folder,
    from: &Path,
    options: &mut FetchOptions<'_>,
) -> Result<usize, Error> {
    (options.progress)(Progress::Verifying { path: from });
    let hash = md5_of(from)?;
    if let Some(package) = entry.packages.iter().find(|package| package.is_archive() && package.md5 == hash) {
        let layout = &entry.layouts[package.layout];
        (options.progress)(Progress::Installing { path: from });
        install(
            unpack::unpack(from, layout, folder, options.interrupted)?,
            &folder.path().join(layout.folders[0]),
        )?;
        return Ok(package.layout);
    }
    for (index, layout) in entry.layouts.iter().enumerate() {
        for file in layout.files {
            let name = match &hash {
                hash if file.md5 == Some(hash) => file.name.to_owned(),
                hash if file.gz_md5 == Some(hash) => format!("{}.gz", file.name),
                _ => continue,
            };
            let staging = Staging::new(folder)?;
            let mut reader = File::open(from).map_err(Error::io("open", from))?;
            staging.add(&mut reader, from, file, &name)?;
            install(staging, &folder.path().join(layout.folders[0]))?;
            return Ok(index);
        }
    }
    Err(not_recognised(
        entry,
        from,
        format!("its MD5 is {hash}, which is not that of a published file of {}", entry.title),
    ))
}

fn not_recognised(entry: &CatalogueEntry, from: &Path, what: String) -> Error {
    let packages = entry.packages.iter().map(|package| format!("{} (MD5 {})", package.file, package.md5));
    let folders =
        entry.layouts.iter().flat_map(|layout| layout.folders).map(|name| format!("a folder {name}/"));
    let accepted = packages.chain(folders).collect();
    Error::NotRecognised { name: entry.name, from: PathBuf::from(from), what, accepted }
}
