//! What kind of file a dump is, by how it begins.

use super::archive::{Archive, Bytes};
use super::npy;
use super::npz::Npz;
use super::safetensors::Safetensors;
use crate::dump::Fault;
use std::io::Read;

/// A kind of file that is read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Npz,
    Safetensors,
}

const HOW_TO_SAVE: &str = "save the tensors with numpy.savez(\"dump.npz\", **tensors) or \
                           safetensors.torch.save_file(tensors, \"dump.safetensors\"), under the names that \
                           docs/foreign-runs.md lists";

/// Opens a file of either kind.
pub(crate) fn open(mut file: Box<dyn Bytes>, extension: &str) -> Result<Box<dyn Archive>, Fault> {
    let mut start = Vec::new();
    Read::take(&mut file, 16).read_to_end(&mut start).map_err(Fault::Io)?;
    let format = Format::of(&start, extension)?;
    file.rewind().map_err(Fault::Io)?;
    Ok(match format {
        Format::Npz => Box::new(Npz::open(file)?),
        Format::Safetensors => Box::new(Safetensors::open(file)?),
    })
}

impl Format {
    /// Decides by the first bytes, and by the extension only where those leave it open.
    fn of(start: &[u8], extension: &str) -> Result<Self, Fault> {
        let refuse =
            |found: &str| Err(Fault::Format { found: found.to_owned(), remedy: HOW_TO_SAVE.to_owned() });
        if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
            return Ok(Self::Npz);
        }
        if start.starts_with(npy::MAGIC) {
            return refuse("this is a single NumPy array, and a dump is several under their names");
        }
        if start.is_empty() {
            return refuse("the file is empty");
        }
        // The header of a safetensors file begins, after its length, with a brace.
        if start.get(8) == Some(&b'{') || extension == "safetensors" {
            return Ok(Self::Safetensors);
        }
        if matches!(extension, "pt" | "pth" | "pkl" | "pickle") || matches!(start, [0x80, 2..=5, ..]) {
            return Err(pickle("a pickle"));
        }
        if extension == "npz" {
            return refuse("this is called .npz but is no zip file, which an .npz is");
        }
        refuse("this is neither an .npz nor a .safetensors file")
    }
}

/// The refusal of a file that Python would have to execute.
pub(super) fn pickle(found: &str) -> Fault {
    Fault::Format {
        found: format!("this is {found}; such files are programs, and this one is not run"),
        remedy: format!("load it in Python where you trust it, and {HOW_TO_SAVE}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides_before_the_extension() {
        let of = |start: &[u8], extension| Format::of(start, extension).ok();
        assert_eq!(of(b"PK\x03\x04....", "safetensors"), Some(Format::Npz));
        assert_eq!(of(b"\x10\0\0\0\0\0\0\0{\"h.0\"", "npz"), Some(Format::Safetensors));
        assert_eq!(of(b"\x80\x03}q\0....", "safetensors"), Some(Format::Safetensors));
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
            (b"not a zip at all", "npz", "no zip file"),
            (b"\x89HDF\r\n\x1a\n.....", "h5", "neither"),
        ] {
            let refusal = Format::of(start, extension).unwrap_err().to_string();
            assert!(refusal.contains(word) && refusal.contains("numpy.savez"), "{refusal}");
        }
    }
}
