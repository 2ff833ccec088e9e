//! Reads a file, or arrays in memory, into a checked dump.

use super::layout::{Origin, Tensors, assemble};
use super::{About, Dump, DumpFault, Error};
use arrays::{Array, Budget, Bytes, Fault, Memory, limit_of_file, open, printable, usual_limit};
use sha2::{Digest, Sha256};
use std::fs::{File, Metadata};
use std::io::{Cursor, Read, Seek};
use std::path::Path;

/// A file is held in memory if it takes at most one part in this many of the limit.
const HELD: u64 = 8;

const HOW_TO_SAVE: &str = "save the tensors with numpy.savez(\"dump.npz\", **tensors) or \
                           safetensors.torch.save_file(tensors, \"dump.safetensors\"), under the names in \
                           docs/foreign-runs.md";

/// Reads a dump, `.npz` or `.safetensors`, that takes at most 8 GiB, half of the machine's memory, and 64 times the length of
/// its file or 256 MiB, whichever is more.
///
/// ```
/// let refusal = audit::dump::read("no-such-dump.npz".as_ref()).unwrap_err();
/// assert!(refusal.to_string().starts_with("no-such-dump.npz: cannot be read"));
/// ```
pub fn read(path: &Path) -> Result<Dump, Error> {
    read_within(path, usual_limit())
}

/// Reads only what a dump says about its run.
pub fn read_about(path: &Path) -> Result<About, Error> {
    let about = || {
        let (file, metadata) = open_file(path)?;
        let mut budget = Budget::new(usual_limit().min(limit_of_file(metadata.len())));
        let mut archive = open(Box::new(file), &extension(path), HOW_TO_SAVE)?;
        About::take(&mut Tensors::about(&mut *archive, &mut budget)?)
    };
    about().map_err(|fault| Error { dump: record::escape::path(path), fault })
}

/// Reads a dump whose values may take this many bytes of memory, eight each.
pub fn read_within(path: &Path, bytes: u64) -> Result<Dump, Error> {
    from_file(path, bytes).map_err(|fault| Error { dump: record::escape::path(path), fault })
}

impl Dump {
    /// A dump of arrays in memory, with the checks and the limit of [`read`]. Messages and audits use `name` in place of a
    /// file's.
    ///
    /// ```
    /// use audit::dump::{Array, Dump, DumpOptions, Values, judge};
    /// let values: Vec<f32> = (0..12).map(|i| i as f32).collect();
    /// let array = |name, values| Array { name, shape: &[4, 3], values: Values::F32(values) };
    /// let dump = Dump::from_arrays("epoch 1", &[array("h.0", &values), array("p.0", &values)])?;
    /// let audit = judge(&dump, &DumpOptions::default())?;
    /// assert_eq!((audit.subject.id(), audit.samples), ("epoch 1", 4));
    /// # Ok::<(), audit::dump::Error>(())
    /// ```
    pub fn from_arrays(name: &str, arrays: &[Array<'_>]) -> Result<Self, Error> {
        let name = printable(name);
        Tensors::read(&mut Memory::new(arrays), &mut Budget::new(usual_limit()))
            .and_then(|tensors| assemble(tensors, Origin::Memory { name: name.clone() }))
            .map_err(|fault| Error { dump: name, fault })
    }
}

/// Opens a regular file.
fn open_file(path: &Path) -> Result<(File, Metadata), Fault> {
    // Pipes cannot seek, and devices may be endless.
    if path.metadata().is_ok_and(|meta| !meta.is_file()) {
        return Err(Fault::Format {
            found: "this is not a regular file".to_owned(),
            remedy: "give an .npz or .safetensors file, or the directory of a run".to_owned(),
        });
    }
    let file = record::bounded::open(path).map_err(Fault::Io)?;
    let metadata = file.metadata().map_err(Fault::Io)?;
    Ok((file, metadata))
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

fn from_file(path: &Path, bytes: u64) -> Result<Dump, DumpFault> {
    let (mut file, metadata) = open_file(path)?;
    let bytes = bytes.min(limit_of_file(metadata.len()));
    let extension = extension(path);
    let mut budget = Budget::new(bytes);
    let mut tensors =
        |source: Box<dyn Bytes>| Tensors::read(&mut *open(source, &extension, HOW_TO_SAVE)?, &mut budget);
    // Both formats need random access, so a file that is not held is read once for its values and once for its hash.
    let (tensors, hash) = if metadata.len() <= bytes / HELD {
        let mut content = Vec::new();
        (&mut file).take(metadata.len()).read_to_end(&mut content).map_err(Fault::Io)?;
        let hash = hash(&content[..])?;
        (tensors(Box::new(Cursor::new(content)))?, hash)
    } else {
        let tensors = tensors(Box::new(file.try_clone().map_err(Fault::Io)?))?;
        file.rewind().map_err(Fault::Io)?;
        (tensors, hash(file)?)
    };
    assemble(tensors, Origin::File { path: path.to_owned(), hash })
}

/// SHA-256 in hexadecimal.
fn hash(mut from: impl Read) -> Result<String, Fault> {
    let mut sum = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match from.read(&mut buffer).map_err(Fault::Io)? {
            0 => break,
            read => sum.update(&buffer[..read]),
        }
    }
    Ok(sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
