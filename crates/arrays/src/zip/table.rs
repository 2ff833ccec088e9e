//! The table of contents at the end of a zip file.
//!
//! It is untrusted. It is accepted if the members are inside the file, do not overlap, have different names, and are not
//! larger than their bytes can unpack to.

use crate::Fault;
use crate::archive::{Bytes, printable};
use crate::budget::{MOST_HEADER, MOST_TENSORS};
use std::collections::HashSet;
use std::io::{Read, SeekFrom};

/// Deflate unpacks two bits to at most 258 bytes.
const MOST_UNPACKED: u64 = 4 * 258;
/// Length of a member's own header, without name and extra field.
const LOCAL: u64 = 30;

/// A member, according to the table.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    /// Bytes after unpacking.
    pub(super) length: u64,
    /// Bytes in the file.
    pub(super) packed: u64,
    pub(super) deflated: bool,
    pub(super) checksum: u32,
    /// Where its own header starts.
    pub(super) at: u64,
}

/// Reads the table and checks it against the file.
pub(super) fn read(file: &mut dyn Bytes) -> Result<Vec<Member>, Fault> {
    let table = TableLocation::find(file)?;
    if table.members > MOST_TENSORS || table.length > MOST_HEADER {
        return Err(Fault::layout(
            format!("it has {} arrays, and at most {MOST_TENSORS} are read", table.members),
            "save the tensors of one model at one time only",
        ));
    }
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(table.at)).map_err(Fault::Io)?;
    Read::take(&mut *file, table.length).read_to_end(&mut bytes).map_err(Fault::Io)?;
    let mut rest = bytes.as_slice();
    let mut members = Vec::new();
    while !rest.is_empty() {
        members.push(member(&mut rest, members.len())?);
    }
    if members.len() as u64 != table.members {
        return Err(Fault::damaged(format!(
            "its table of contents has {} entries and should have {}",
            members.len(),
            table.members
        )));
    }
    check(&members, table.at)?;
    Ok(members)
}

/// The number in up to eight bytes, little-endian.
pub(super) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

/// `N` bytes of the file from `at` on, which belong to `what`.
pub(super) fn bytes_at<const N: usize>(file: &mut dyn Bytes, at: u64, what: &str) -> Result<[u8; N], Fault> {
    let mut bytes = [0; N];
    // Seeking fails only for positions that no file can have.
    file.seek(SeekFrom::Start(at)).map_err(|_| Fault::damaged(format!("{what} is outside the file")))?;
    file.read_exact(&mut bytes).map_err(|e| Fault::while_reading(what, e))?;
    Ok(bytes)
}

/// Where the table is, and how many entries it should have.
struct TableLocation {
    at: u64,
    length: u64,
    members: u64,
}

impl TableLocation {
    /// Finds the table by the record at the end of the file, which only a comment may follow.
    fn find(file: &mut dyn Bytes) -> Result<Self, Fault> {
        const RECORD: usize = 22;
        const MOST: u64 = RECORD as u64 + u16::MAX as u64;
        let length = file.seek(SeekFrom::End(0)).map_err(Fault::Io)?;
        let tail_at = length.saturating_sub(MOST);
        let mut tail = Vec::new();
        file.seek(SeekFrom::Start(tail_at)).map_err(Fault::Io)?;
        Read::take(&mut *file, MOST).read_to_end(&mut tail).map_err(Fault::Io)?;
        let is_record = |record: &[u8]| {
            record.starts_with(b"PK\x05\x06") && number(&record[20..22]) == (record.len() - RECORD) as u64
        };
        let last = tail.len().checked_sub(RECORD);
        let Some(at) = last.and_then(|last| (0..=last).rev().find(|&at| is_record(&tail[at..]))) else {
            return Err(Fault::damaged("the table of contents at the end of the .npz file is missing"));
        };
        let record = &tail[at..];
        let mut end = tail_at + at as u64;
        let mut members = number(&record[10..12]);
        let mut length = number(&record[12..16]);
        let mut at = number(&record[16..20]);
        // Beyond 4 GiB or 65,535 members, a larger record precedes this one, with a pointer to it in between.
        if let Some(pointer_at) = end.checked_sub(20) {
            let pointer = bytes_at::<20>(file, pointer_at, "the table of contents")?;
            if pointer.starts_with(b"PK\x06\x07") {
                end = number(&pointer[8..16]);
                let large = bytes_at::<56>(file, end, "the table of contents")?;
                members = number(&large[32..40]);
                length = number(&large[40..48]);
                at = number(&large[48..56]);
            }
        }
        if at.checked_add(length) != Some(end) {
            return Err(Fault::damaged("the table of contents is not where the end of the .npz file says"));
        }
        Ok(Self { at, length, members })
    }
}

/// Parses the next entry of the table.
fn member(rest: &mut &[u8], index: usize) -> Result<Member, Fault> {
    let invalid = || Fault::damaged(format!("entry {index} of the table of contents is invalid"));
    let head = rest.split_off(..46).filter(|head| head.starts_with(b"PK\x01\x02")).ok_or_else(invalid)?;
    let mut field = |at: usize| rest.split_off(..number(&head[at..at + 2]) as usize).ok_or_else(invalid);
    let name = field(28)?;
    let extra = field(30)?;
    let _comment = field(32)?;
    let name = printable(&String::from_utf8_lossy(name));
    let flags = number(&head[8..10]);
    let method = number(&head[10..12]);
    if flags & 1 == 1 {
        return Err(Fault::tensor(&name, "it is encrypted", "save it without a password"));
    }
    if method != 0 && method != 8 {
        return Err(Fault::tensor(
            &name,
            format!("it is compressed by method {method}, which is not supported"),
            "save with numpy.savez or numpy.savez_compressed",
        ));
    }
    // Numbers that do not fit are in an extra field, in this order, eight bytes each.
    let mut large = large_numbers(extra).chunks_exact(8);
    let mut long = |at: usize| match number(&head[at..at + 4]) {
        0xffff_ffff => large.next().map(number).ok_or_else(invalid),
        fits => Ok(fits),
    };
    let length = long(24)?;
    let packed = long(20)?;
    let at = long(42)?;
    Ok(Member { name, length, packed, deflated: method == 8, checksum: number(&head[16..20]) as u32, at })
}

/// The extra field for numbers beyond 4 GiB; empty if there is none.
fn large_numbers(mut extra: &[u8]) -> &[u8] {
    while let Some(head) = extra.split_off(..4) {
        let Some(field) = extra.split_off(..number(&head[2..4]) as usize) else { break };
        if number(&head[..2]) == 1 {
            return field;
        }
    }
    &[]
}

/// Checks that members are inside the file, before `end`, and can have the claimed sizes.
fn check(members: &[Member], end: u64) -> Result<(), Fault> {
    let mut names = HashSet::new();
    for member in members {
        let Member { name, length, packed, deflated, .. } = member;
        if !names.insert(name) {
            return Err(Fault::tensor(name, "it is in the file twice", "save each tensor once"));
        }
        let most = if *deflated { packed.saturating_mul(MOST_UNPACKED) } else { *packed };
        if *length > most || (!deflated && length != packed) {
            return Err(Fault::damaged(format!(
                "{name} claims {length} bytes, which {packed} bytes cannot hold"
            )));
        }
    }
    let mut order: Vec<&Member> = members.iter().collect();
    order.sort_by_key(|member| member.at);
    let begins = order.iter().skip(1).map(|member| member.at).chain([end]);
    for (member, next) in order.iter().zip(begins) {
        let least = LOCAL.checked_add(member.packed).and_then(|length| length.checked_add(member.at));
        if least.is_none_or(|least| least > next) {
            return Err(Fault::damaged(format!("{} overlaps what follows it", member.name)));
        }
    }
    Ok(())
}
