//! Hashes of files and of content, as lower-case hexadecimal.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use md5::{Digest, Md5};

use crate::Error;

/// Bytes per read; large enough that system calls do not matter.
pub(crate) const CHUNK: usize = 1 << 18;

/// Bytes as lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The MD5 of a file's content.
pub(crate) fn md5_of(path: &Path) -> Result<String, Error> {
    // A pipe would wait for its other end, and a device may be endless.
    if path.metadata().is_ok_and(|meta| !meta.is_file()) {
        return Err(Error::io("open", path)(std::io::Error::other("it is not a regular file")));
    }
    let mut file = File::open(path).map_err(Error::io("open", path))?;
    copy_with_md5(&mut file, &mut std::io::sink(), path, path).map(|(hash, _)| hash)
}

/// Copies everything, and returns the MD5 and the number of bytes.
pub(crate) fn copy_with_md5(
    from: &mut dyn Read,
    to: &mut dyn Write,
    source: &Path,
    target: &Path,
) -> Result<(String, u64), Error> {
    let mut hash = Md5::new();
    let mut total = 0;
    let mut buffer = vec![0; CHUNK];
    loop {
        let n = match from.read(&mut buffer) {
            Ok(0) => return Ok((hex(&hash.finalize()), total)),
            Ok(n) => n,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Error::io("read", source)(error)),
        };
        hash.update(&buffer[..n]);
        to.write_all(&buffer[..n]).map_err(Error::io("write", target))?;
        total += n as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn md5_agrees_with_the_examples_of_rfc_1321() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        for (text, expected) in
            [("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72")]
        {
            std::fs::write(&path, text).unwrap();
            assert_eq!(md5_of(&path).unwrap(), expected);
        }
    }
}
