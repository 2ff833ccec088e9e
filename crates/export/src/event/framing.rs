//! The frame of an event in its file (TFRecord): length, checksum of the length, data, checksum of the data.

use super::crc::masked;

const HEAD: usize = 12;
const FOOT: usize = 4;

/// Adds a record to a file.
pub(super) fn push(file: &mut Vec<u8>, data: &[u8]) {
    let length = (data.len() as u64).to_le_bytes();
    file.extend(length);
    file.extend(masked(&length).to_le_bytes());
    file.extend(data);
    file.extend(masked(data).to_le_bytes());
}

/// Splits the first record off a file: its data, and what follows. `None` at the end, at a record that is cut off, and at one
/// whose checksums do not fit.
pub(super) fn split(file: &[u8]) -> Option<(&[u8], &[u8])> {
    let (head, rest) = file.split_at_checked(HEAD)?;
    let (length, check) = head.split_at(8);
    if masked(length).to_le_bytes() != check {
        return None;
    }
    let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
    let (data, rest) = rest.split_at_checked(length)?;
    let (check, rest) = rest.split_at_checked(FOOT)?;
    (masked(data).to_le_bytes() == check).then_some((data, rest))
}
