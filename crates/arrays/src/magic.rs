//! Recognises the format of a file by its first bytes.

use crate::Fault;
use crate::archive::{Archive, Bytes};
use crate::npy;
use crate::npz::Npz;
use crate::safetensors::Safetensors;
use std::io::Read;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileFormat {
    Npz,
    Safetensors,
}

/// Opens a file of either format; `how_to_save` says in messages how to write such a file.
pub fn open(mut file: Box<dyn Bytes>, extension: &str, how_to_save: &str) -> Result<Box<dyn Archive>, Fault> {
    let mut start = Vec::new();
    Read::take(&mut file, 16).read_to_end(&mut start).map_err(Fault::Io)?;
    let format = FileFormat::of(&start, extension, how_to_save)?;
    file.rewind().map_err(Fault::Io)?;
    Ok(match format {
        FileFormat::Npz => Box::new(Npz::open(file, how_to_save)?),
        FileFormat::Safetensors => Box::new(Safetensors::open(file)?),
    })
}

impl FileFormat {
    /// Decides by the first bytes, and by the extension only if those are not conclusive.
    fn of(start: &[u8], extension: &str, how_to_save: &str) -> Result<Self, Fault> {
        let refuse =
            |found: &str| Err(Fault::Format { found: found.to_owned(), remedy: how_to_save.to_owned() });
        if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
            return Ok(Self::Npz);
        }
        if start.starts_with(npy::MAGIC) {
            return refuse("this is a single NumPy array where several named ones are expected");
        }
        if start.is_empty() {
            return refuse("the file is empty");
        }
        // The header of a safetensors file starts with a brace, after its length.
        if start.get(8) == Some(&b'{') || extension == "safetensors" {
            return Ok(Self::Safetensors);
        }
        if matches!(extension, "pt" | "pth" | "pkl" | "pickle") || matches!(start, [0x80, 2..=5, ..]) {
            return Err(pickle("a pickle", how_to_save));
        }
        if extension == "npz" {
            return refuse("this is called .npz but is not a zip file");
        }
        refuse("this is neither an .npz nor a .safetensors file")
    }
}

/// The error for a file that Python would have to execute.
pub(crate) fn pickle(found: &str, how_to_save: &str) -> Fault {
    Fault::Format {
        found: format!("this is {found}; such files are programs, and this one is not run"),
        remedy: format!("load it in Python where you trust it, and {how_to_save}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides_before_the_extension() {
        let of = |start: &[u8], extension| FileFormat::of(start, extension, "").ok();
        assert_eq!(of(b"PK\x03\x04....", "safetensors"), Some(FileFormat::Npz));
        assert_eq!(of(b"\x10\0\0\0\0\0\0\0{\"h.0\"", "npz"), Some(FileFormat::Safetensors));
        assert_eq!(of(b"\x80\x03}q\0....", "safetensors"), Some(FileFormat::Safetensors));
        assert_eq!(of(b"hello, world", "npz"), None);
        assert_eq!(of(b"hello, world", "txt"), None);
    }

    #[test]
    fn a_refusal_says_how_to_save_instead() {
        for (start, extension, word) in [
            (&b"\x93NUMPY\x01\0"[..], "npy", "single NumPy array"),
            (b"\x80\x02}q\0", "dump", "pickle"),
            (b"????????????", "pt", "pickle"),
            (b"", "npz", "empty"),
            (b"not a zip at all", "npz", "not a zip file"),
            (b"\x89HDF\r\n\x1a\n.....", "h5", "neither"),
        ] {
            let refusal = FileFormat::of(start, extension, "call numpy.savez").unwrap_err().to_string();
            assert!(refusal.contains(word) && refusal.contains("numpy.savez"), "{refusal}");
        }
    }
}
