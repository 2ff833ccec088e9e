//! Downloads one file over HTTP and resumes where an earlier attempt ended.
//!
//! The file has the name `….part`, is locked against a second fetch, and is kept when the connection fails. It is not written
//! through `record::durable`: nothing is promised of it. Whatever a crash makes of it, its hash is checked before its content
//! is unpacked or copied to where it counts, and a part with another hash is removed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::connection::{Message, request};
use super::{FetchOptions, Progress};
use crate::Error;
use crate::catalogue::{CatalogueEntry, Package};
use crate::digest::md5_of;

/// Attempts per address; the second one resumes after a broken connection.
const ATTEMPTS: usize = 2;

/// How often the caller is asked whether to stop.
const TICK: Duration = Duration::from_millis(50);

/// Downloads a package to `part` and checks its hash; the file returned holds the lock.
pub(super) fn download(
    entry: &'static CatalogueEntry,
    package: &'static Package,
    part: &Path,
    options: &mut FetchOptions<'_>,
) -> Result<File, Error> {
    let mut file = open_locked(part)?;
    let own = options.base_url.clone();
    let mirrors: Vec<&str> = own.as_deref().map_or_else(|| entry.mirrors.to_vec(), |url| vec![url]);
    let mut failure = None;
    'mirrors: for base in mirrors {
        let url = format!("{}/{}", base.trim_end_matches('/'), package.file);
        for _ in 0..ATTEMPTS {
            if let Some(why) = &failure {
                (options.progress)(Progress::Retrying { why });
            }
            match attempt(entry.name, package, &url, &mut file, part, options) {
                Ok(()) => return check_hash(entry.name, package, part, file, options),
                Err(why @ Error::Cut { .. }) => failure = Some(why),
                Err(why @ (Error::Status { .. } | Error::Connection { .. })) => {
                    failure = Some(why);
                    continue 'mirrors;
                }
                Err(why) => return Err(why),
            }
        }
    }
    let why = failure.unwrap_or_else(|| Error::Connection {
        name: entry.name,
        url: package.file.to_owned(),
        why: "no address is known".to_owned(),
    });
    // An empty file is of no use to a later attempt.
    if file.metadata().is_ok_and(|meta| meta.len() == 0) {
        let _ = std::fs::remove_file(part);
    }
    Err(why)
}

fn open_locked(part: &Path) -> Result<File, Error> {
    let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(part);
    let file = file.map_err(Error::io("create", part))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Busy { path: part.to_path_buf() }),
        // Some network file systems have no locks; the hash still protects the result.
        Err(TryLockError::Error(_)) => Ok(file),
    }
}

fn check_hash(
    name: &'static str,
    package: &'static Package,
    part: &Path,
    file: File,
    options: &mut FetchOptions<'_>,
) -> Result<File, Error> {
    (options.progress)(Progress::Verifying { path: part });
    let found = md5_of(part)?;
    if found == package.md5 {
        return Ok(file);
    }
    std::fs::remove_file(part).map_err(Error::io("remove", part))?;
    Err(Error::Hash {
        path: part.to_path_buf(),
        expected: package.md5.to_owned(),
        found,
        downloaded: Some(name),
    })
}

/// One request for the rest of the file.
fn attempt(
    name: &'static str,
    package: &'static Package,
    url: &str,
    file: &mut File,
    part: &Path,
    options: &mut FetchOptions<'_>,
) -> Result<(), Error> {
    let write_error = |error| Error::io("write", part)(error);
    let total = package.bytes;
    let mut done = file.seek(SeekFrom::End(0)).map_err(write_error)?;
    if done > total {
        file.set_len(0).map_err(write_error)?;
        done = file.seek(SeekFrom::Start(0)).map_err(write_error)?;
    }
    if done == total {
        return Ok(());
    }
    (options.progress)(Progress::Started { url, done, total });
    let messages = request(url, done, options.stall);
    let mut last = Instant::now();
    loop {
        if (options.interrupted)() {
            return Err(Error::Interrupted);
        }
        let url = url.to_owned();
        match messages.recv_timeout(TICK) {
            Ok(Message::Begins(at)) => {
                // A server that ignores ranges sends the whole file.
                file.set_len(at).map_err(write_error)?;
                done = file.seek(SeekFrom::Start(at)).map_err(write_error)?;
            }
            Ok(Message::Bytes(bytes)) => {
                file.write_all(&bytes).map_err(write_error)?;
                done += bytes.len() as u64;
                (options.progress)(Progress::Downloaded { done, total });
                // Too long already: the hash check will fail, before the disk fills up.
                if done > total {
                    return Ok(());
                }
            }
            Ok(Message::Ends) if done >= total => return Ok(()),
            Ok(Message::Ends) => {
                return Err(Error::Cut { url, got: done, total, why: "the response ended early".to_owned() });
            }
            Ok(Message::Answered(status)) => return Err(Error::Status { name, url, status }),
            Ok(Message::NoConnection(why)) => return Err(Error::Connection { name, url, why }),
            Ok(Message::Broke(why)) => return Err(Error::Cut { url, got: done, total, why }),
            Err(RecvTimeoutError::Timeout) if last.elapsed() < options.stall => continue,
            Err(RecvTimeoutError::Timeout) => {
                return Err(Error::Stalled { url, seconds: options.stall.as_secs(), got: done, total });
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::Cut { url, got: done, total, why: "the download ended".to_owned() });
            }
        }
        last = Instant::now();
    }
}
