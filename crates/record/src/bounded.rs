//! The door for files from outside: regular files of a stated size, and nothing else.
//!
//! A pipe would make the program wait for ever, a device would fill its memory. So what a path leads to is looked at before it
//! is opened, and no more is read than the kind of file may hold.

use crate::{Error, escape};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Most bytes of a recipe.
pub const RECIPE: u64 = 4 << 20;
/// Most bytes of a record, an audit or another file of JSON.
pub const RECORD: u64 = 256 << 20;
/// Most bytes of a log of epochs.
pub const LOG: u64 = 1 << 30;
/// Most bytes of a typeface.
pub const FONT: u64 = 64 << 20;

/// Opens a regular file for reading. Links are followed.
///
/// ```
/// let refusal = record::bounded::open("/dev/null".as_ref()).unwrap_err();
/// assert_eq!(refusal.to_string(), "it is not a regular file");
/// ```
pub fn open(path: &Path) -> io::Result<File> {
    let regular = |is: bool| if is { Ok(()) } else { Err(io::Error::other("it is not a regular file")) };
    // Before, since the opening of a pipe waits for its other end; after, since the path may lead elsewhere by then.
    let there = fs::metadata(path)?;
    if there.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    regular(there.is_file())?;
    let file = File::open(path)?;
    regular(file.metadata()?.is_file())?;
    Ok(file)
}

/// The content of a regular file of at most so many bytes.
pub fn bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    let length = file.metadata()?.len();
    let too_long = || {
        let limit = if most >> 20 > 0 { format!("{} MiB", most >> 20) } else { format!("{most} bytes") };
        io::Error::new(ErrorKind::InvalidData, format!("it is longer than the {limit} that are read"))
    };
    if length > most {
        return Err(too_long());
    }
    let mut content = Vec::new();
    content.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX)).map_err(io::Error::other)?;
    file.by_ref().take(length).read_to_end(&mut content)?;
    // It may have grown, as logs do.
    file.take((most - length).saturating_add(1)).read_to_end(&mut content)?;
    if content.len() as u64 > most { Err(too_long()) } else { Ok(content) }
}

/// The same as text.
pub fn utf8(path: &Path, most: u64) -> io::Result<String> {
    let not_text = |_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text");
    String::from_utf8(bytes(path, most)?).map_err(not_text)
}

/// The content of a file, with an error that names it.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    bytes(path, most).map_err(|source| Error::io("read", path, source))
}

/// The same; `None` where there is no such file.
pub fn read_if_there(path: &Path, most: u64) -> Result<Option<Vec<u8>>, Error> {
    if_there(read(path, most))
}

/// The text of a JSON file with every character of its strings visible, with an error that names it.
pub fn json(path: &Path, most: u64) -> Result<String, Error> {
    text(path, most).map(|text| escape::json(&text).into_owned())
}

/// The text of a file, with an error that names it.
pub fn text(path: &Path, most: u64) -> Result<String, Error> {
    utf8(path, most).map_err(|source| Error::io("read", path, source))
}

/// The same; `None` where there is no such file.
pub fn text_if_there(path: &Path, most: u64) -> Result<Option<String>, Error> {
    if_there(text(path, most))
}

fn if_there<T>(read: Result<T, Error>) -> Result<Option<T>, Error> {
    match read {
        Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}
