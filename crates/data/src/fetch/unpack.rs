//! Extracts the expected files, and nothing else, from an official archive.

use std::fs::File;
use std::io::BufReader;
use std::path::{Component, Path};

use flate2::bufread::MultiGzDecoder;
use tar::{Archive, EntryType};

use super::install::Staging;
use crate::catalogue::{DiskLayout, FilePart};
use crate::digest::CHUNK;
use crate::{Error, Folder};

/// Longest file in an archive; the largest real one has 155 MB.
const LONGEST: u64 = 1 << 28;

/// Unpacks the files of the layout into a staging folder and checks each.
pub(super) fn unpack(
    archive: &Path,
    layout: &DiskLayout,
    folder: &Folder,
    interrupted: &dyn Fn() -> bool,
) -> Result<Staging, Error> {
    let broken = |what: String| Error::Archive { archive: archive.to_path_buf(), what };
    let unreadable = |error: std::io::Error| broken(format!("cannot be unpacked ({error})"));
    let file = File::open(archive).map_err(Error::io("open", archive))?;
    let mut tar = Archive::new(MultiGzDecoder::new(BufReader::with_capacity(CHUNK, file)));
    let staging = Staging::new(folder)?;
    let mut taken = Vec::new();
    for member in tar.entries().map_err(unreadable)? {
        if interrupted() {
            return Err(Error::Interrupted);
        }
        let mut member = member.map_err(unreadable)?;
        let path = member.path().map_err(unreadable)?.into_owned();
        let shown = path.display();
        match member.header().entry_type() {
            EntryType::Regular | EntryType::Directory => {}
            EntryType::XGlobalHeader => continue,
            _ => return Err(broken(format!("refused: its member {shown} is a link or device"))),
        }
        // Apart from names, only a leading `./` is allowed.
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !path.components().all(plain) {
            return Err(broken(format!(
                "refused: its member {shown} would be written outside the data folder"
            )));
        }
        if member.header().entry_type() == EntryType::Directory {
            continue;
        }
        let wanted =
            layout.files.iter().find(|file| path.ends_with(Path::new(layout.folders[0]).join(file.name)));
        let Some(file) = wanted else { continue };
        if member.size() > LONGEST {
            return Err(broken(format!("refused: its member {shown} claims {} bytes", member.size())));
        }
        staging.add(&mut member, archive, file, file.name)?;
        taken.push(file.name);
    }
    let missing =
        layout.files.iter().find(|file| file.part != FilePart::Extra && !taken.contains(&file.name));
    match missing {
        Some(file) => Err(broken(format!("{} is not in it", file.name))),
        None => Ok(staging),
    }
}
