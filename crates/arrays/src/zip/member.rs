//! Members of a zip file from `numpy.savez`: stored or deflated.
//!
//! Only what an `.npz` needs. The table of contents is read and checked first. A member is then read as a stream that
//! ends where the table says, whatever it unpacks to, and its checksum is verified.

use super::table::{self, Member, bytes_at, number};
use crate::Fault;
use crate::archive::Bytes;
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use std::io::{self, BufReader, Read, SeekFrom};

/// An open zip file.
pub(crate) struct Zip {
    file: Box<dyn Bytes>,
    members: Vec<Member>,
}

impl Zip {
    pub(crate) fn open(mut file: Box<dyn Bytes>) -> Result<Self, Fault> {
        let members = table::read(&mut *file)?;
        Ok(Self { file, members })
    }

    /// The names of the members, in the order of the table of contents.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|member| member.name.as_str())
    }

    /// Opens a member for reading.
    pub(crate) fn stream(&mut self, index: usize) -> Result<MemberStream<'_>, Fault> {
        let member = self.members[index].clone();
        let local = bytes_at::<30>(&mut *self.file, member.at, &member.name)?;
        if local[..4] != *b"PK\x03\x04" {
            return Err(Fault::damaged(format!("{} is not where the table of contents says", member.name)));
        }
        // Name and extra field may have other lengths than in the table; everything else is taken from there.
        let names = number(&local[26..28]) + number(&local[28..30]);
        self.file.seek(SeekFrom::Start(member.at + 30 + names)).map_err(Fault::Io)?;
        let packed = BufReader::new((&mut self.file).take(member.packed));
        let bytes: Box<dyn Read + '_> =
            if member.deflated { Box::new(DeflateDecoder::new(packed)) } else { Box::new(packed) };
        Ok(MemberStream { bytes, left: member.length, sum: Crc::new(), member })
    }
}

/// The bytes of a member, never more than the table says.
pub(crate) struct MemberStream<'a> {
    bytes: Box<dyn Read + 'a>,
    left: u64,
    sum: Crc,
    member: Member,
}

impl Read for MemberStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = self.bytes.read(&mut buffer[..most])?;
        self.left -= read as u64;
        self.sum.update(&buffer[..read]);
        Ok(read)
    }
}

impl MemberStream<'_> {
    /// Bytes of the member after unpacking, by the table.
    pub(crate) fn length(&self) -> u64 {
        self.member.length
    }

    /// Checks, after the last byte, the length and the checksum.
    pub(crate) fn finish(mut self) -> Result<(), Fault> {
        let name = &self.member.name;
        let more = self.bytes.read(&mut [0]).map_err(|e| Fault::while_reading(name, e))?;
        if self.left > 0 || more > 0 {
            return Err(Fault::damaged(format!("{name} is not as long as the table of contents says")));
        }
        if self.sum.sum() != self.member.checksum {
            return Err(Fault::damaged(format!("the checksum of {name} is wrong")));
        }
        Ok(())
    }
}
