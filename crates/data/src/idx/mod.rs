//! MNIST's IDX files, plain or compressed: a magic number, the sizes, then bytes.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::Error;
use crate::catalogue::{CatalogueEntry, DataFile};
use crate::digest::CHUNK;
use crate::load::{Raw, check_labels};
use crate::presence::{self, FoundLayout};

/// The training and the test split.
pub(crate) fn read(entry: &'static CatalogueEntry, found: &FoundLayout) -> Result<(Raw, Raw), Error> {
    let [train_images, train_labels, test_images, test_labels] = found.layout.files else {
        unreachable!("the catalogue lists four IDX files");
    };
    Ok((
        split(entry, found, train_images, train_labels, entry.train)?,
        split(entry, found, test_images, test_labels, entry.test)?,
    ))
}

fn split(
    entry: &'static CatalogueEntry,
    found: &FoundLayout,
    images: &DataFile,
    labels: &DataFile,
    n: usize,
) -> Result<Raw, Error> {
    let path = |file| found.path(file).ok_or_else(|| presence::vanished(entry, found, file));
    let mut raw = Raw::new(n, entry.shape.len());
    let sizes = [n, entry.shape.height, entry.shape.width].map(|size| size as u32);
    read_file(entry.name, &path(images)?, &sizes, &mut raw.pixels)?;
    let path = path(labels)?;
    read_file(entry.name, &path, &sizes[..1], &mut raw.labels)?;
    check_labels(entry, &path, &raw.labels)?;
    Ok(raw)
}

/// Reads a file of unsigned bytes with exactly these sizes.
fn read_file(name: &'static str, path: &Path, sizes: &[u32], content: &mut [u8]) -> Result<(), Error> {
    let file = File::open(path).map_err(Error::io("open", path))?;
    let mut file = BufReader::with_capacity(CHUNK, file);
    // By its first bytes, not its name: some tools keep `.gz` after unpacking, others drop it.
    let compressed =
        std::io::BufRead::fill_buf(&mut file).map_err(Error::io("read", path))?.starts_with(&[0x1f, 0x8b]);
    let mut reader: Box<dyn Read> =
        if compressed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };

    let header_bytes = 4 + 4 * sizes.len();
    let expected = (header_bytes + content.len()) as u64;
    let mut take = |buffer: &mut [u8], before: usize| {
        let got = read_up_to(&mut *reader, buffer).map_err(|error| match error.kind() {
            ErrorKind::InvalidInput | ErrorKind::InvalidData => Error::Format {
                name,
                path: path.to_path_buf(),
                what: format!("the compressed data is damaged ({error})"),
            },
            _ => Error::io("read", path)(error),
        })?;
        Ok::<_, Error>((before + got) as u64)
    };
    let wrong_length =
        |found| Error::Length { name, path: path.to_path_buf(), expected, found, unpacked: compressed };

    let mut header = vec![0; header_bytes];
    let found = take(&mut header, 0)?;
    if found < header_bytes as u64 {
        return Err(wrong_length(found));
    }
    let words: Vec<u32> =
        header.chunks_exact(4).map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]])).collect();
    let magic = 0x0800 + sizes.len() as u32;
    if words[0] != magic || words[1..] != *sizes {
        let what = format!(
            "not the expected IDX file: magic {:#010x} and sizes {:?}, expected {magic:#010x} and {sizes:?}",
            words[0],
            &words[1..]
        );
        return Err(Error::Format { name, path: path.to_path_buf(), what });
    }
    let found = take(content, header_bytes)?;
    if found < expected {
        return Err(wrong_length(found));
    }
    // Reading one more byte detects a file that is too long (and lets the decoder check its checksum).
    match take(&mut [0], expected as usize)? {
        found if found == expected => Ok(()),
        found => Err(wrong_length(found)),
    }
}

/// Fills the buffer as far as the reader goes. A truncated compressed file simply ends.
fn read_up_to(reader: &mut dyn Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut got = 0;
    while got < buffer.len() {
        match reader.read(&mut buffer[got..]) {
            Ok(0) => break,
            Ok(n) => got += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error),
        }
    }
    Ok(got)
}
