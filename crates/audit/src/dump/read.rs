//! From a path to a checked dump.

use super::format::{Budget, open as open_archive, usual_limit};
use super::layout::{Tensors, assemble};
use super::{Dump, Error, Fault};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads a dump, `.npz` or `.safetensors`, that takes at most 8 GiB and half of the machine's memory.
///
/// ```
/// let refusal = audit::dump::read("no-such-dump.npz".as_ref()).unwrap_err();
/// assert!(refusal.to_string().starts_with("no-such-dump.npz: cannot be read"));
/// ```
pub fn read(path: &Path) -> Result<Dump, Error> {
    read_within(path, usual_limit())
}

/// Reads a dump whose values may take this many bytes of memory, eight each.
pub fn read_within(path: &Path, bytes: u64) -> Result<Dump, Error> {
    open(path, bytes).map_err(|fault| Error { path: path.to_owned(), fault })
}

fn open(path: &Path, bytes: u64) -> Result<Dump, Fault> {
    let file = File::open(path).map_err(Fault::Io)?;
    // A pipe has no end to look at, and a device may have none at all.
    if !file.metadata().map_err(Fault::Io)?.is_file() {
        return Err(Fault::Format {
            found: "this is not a regular file".to_owned(),
            remedy: "give an .npz or .safetensors file, or the directory of a run".to_owned(),
        });
    }
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let mut archive = open_archive(file, &extension)?;
    let tensors = Tensors::read(&mut *archive, &mut Budget::new(bytes))?;
    drop(archive);
    let mut dump = assemble(tensors)?;
    dump.path = path.to_owned();
    dump.hash = hash(path)?;
    Ok(dump)
}

/// SHA-256 of a file, in hexadecimal.
fn hash(path: &Path) -> Result<String, Fault> {
    let mut file = File::open(path).map_err(Fault::Io)?;
    let mut sum = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(Fault::Io)? {
            0 => break,
            read => sum.update(&buffer[..read]),
        }
    }
    Ok(sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
