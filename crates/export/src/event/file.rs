//! An event file in its place: made, continued, or refused where it is somebody else's.
//!
//! Nothing is promised of an event file, so it is not written through `record::durable` while a run is under way: whatever a
//! crash makes of it, it is mended from the records.

use super::{EventFile, Events};
use record::{Error, bounded, durable, escape};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The name of each event file; what the folder is called is the name of the run. Readers look for `tfevents.` and a number.
const NAME: &str = "events.out.tfevents.1.creditscope";

/// The event file of a folder, which belongs to one run, one mean or the like.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    path: PathBuf,
    owner: String,
}

impl Target {
    pub(crate) fn new(folder: &Path, owner: &str) -> Self {
        Self { path: folder.join(NAME), owner: owner.to_owned() }
    }

    /// The start of the file's content.
    pub(crate) fn events(&self, wall: f64) -> Events {
        Events::of(&self.owner, wall)
    }

    /// Makes the file hold this content; a longer one with the same start is left to whoever is writing it.
    pub(crate) fn complete(&self, events: &Events) -> Result<(), Error> {
        let found = self.found(events)?;
        if found.starts_with(events.bytes()) {
            return Ok(());
        }
        // What viewers have open grows in its place: a new file under the old name would be lost on them.
        if !found.is_empty() && events.bytes().starts_with(&found) {
            return self.append(&mut self.open()?, &events.bytes()[found.len()..]);
        }
        self.create_folder()?;
        durable::write(&self.path, events.bytes())
    }

    /// Makes the file hold this content and nothing after it, and opens it for more.
    pub(crate) fn begin(&self, events: &Events) -> Result<File, Error> {
        self.complete(events)?;
        let file = self.open()?;
        file.set_len(events.bytes().len() as u64).map_err(|source| self.unwritten(source))?;
        Ok(file)
    }

    /// Adds events to the open file, where viewers see them at once.
    pub(crate) fn append(&self, file: &mut File, bytes: &[u8]) -> Result<(), Error> {
        file.write_all(bytes).map_err(|source| self.unwritten(source))
    }

    /// What is there, if it is nobody else's.
    fn found(&self, events: &Events) -> Result<Vec<u8>, Error> {
        let found = bounded::read_if_there(&self.path, bounded::LOG)?.unwrap_or_default();
        let read = EventFile::read(&found);
        // A kill may have cut off the records that name the owner.
        if events.bytes().starts_with(&found) || read.owner() == Some(&self.owner) {
            return Ok(found);
        }
        let whose = match read.owner() {
            Some(owner) => format!("holds the events of another run ({})", escape::visible(owner)),
            None => "was not written by this program".to_owned(),
        };
        Err(Error::malformed(&self.path, format!("it {whose}: choose another folder, or remove it")))
    }

    fn create_folder(&self) -> Result<(), Error> {
        self.path.parent().map_or(Ok(()), durable::create_folders)
    }

    fn open(&self) -> Result<File, Error> {
        OpenOptions::new().append(true).open(&self.path).map_err(|source| self.unwritten(source))
    }

    fn unwritten(&self, source: std::io::Error) -> Error {
        Error::io("write", &self.path, source)
    }
}
