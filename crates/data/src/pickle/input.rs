//! The machine's input file, with bounds checks against its length.

use std::io::{BufReader, Read, Seek, SeekFrom};

use super::PickleFault;
use super::value::{Coding, Span};
use crate::digest::CHUNK;

pub(super) struct Input<R> {
    inner: BufReader<R>,
    at: u64,
    end: u64,
}

impl<R: Read + Seek> Input<R> {
    pub(super) fn new(mut inner: R) -> Result<Self, PickleFault> {
        let end = inner.seek(SeekFrom::End(0)).map_err(PickleFault::Io)?;
        inner.rewind().map_err(PickleFault::Io)?;
        Ok(Self { inner: BufReader::with_capacity(CHUNK, inner), at: 0, end })
    }

    /// Length of the file.
    pub(super) fn len(&self) -> u64 {
        self.end
    }

    pub(super) fn fault(&self, what: impl Into<String>) -> PickleFault {
        PickleFault::Malformed { at: self.at, what: what.into() }
    }

    /// The next `N` bytes.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], PickleFault> {
        let mut bytes = [0; N];
        self.require(N as u64)?;
        self.inner.read_exact(&mut bytes).map_err(PickleFault::Io)?;
        self.at += N as u64;
        Ok(bytes)
    }

    pub(super) fn byte(&mut self) -> Result<u8, PickleFault> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// Skips `len` bytes and returns their range.
    pub(super) fn skip(&mut self, len: u64) -> Result<Span, PickleFault> {
        self.require(len)?;
        let span = Span { at: self.at, len, coding: Coding::Raw };
        self.go_to(span.at + len)?;
        Ok(span)
    }

    /// The text up to the next line feed, of at most `most` bytes.
    pub(super) fn line(&mut self, most: usize) -> Result<String, PickleFault> {
        let mut line = Vec::new();
        loop {
            match self.byte()? {
                b'\n' => return String::from_utf8(line).map_err(|_| self.fault("a name that is not text")),
                _ if line.len() == most => return Err(self.fault("a name without end")),
                byte => line.push(byte),
            }
        }
    }

    /// The bytes of a short string that was skipped; none if it is longer than `most`.
    pub(super) fn short(&mut self, span: Span, most: u64) -> Result<Option<Vec<u8>>, PickleFault> {
        // In UTF-8 a byte takes up to two.
        let most = if span.coding == Coding::Raw { most } else { 2 * most };
        if span.len > most {
            return Ok(None);
        }
        let back = self.at;
        self.go_to(span.at)?;
        let mut bytes = vec![0; span.len as usize];
        self.inner.read_exact(&mut bytes).map_err(PickleFault::Io)?;
        if span.coding == Coding::Latin1InUtf8 {
            bytes = String::from_utf8(bytes)
                .map_err(|_| self.fault("text that is not UTF-8"))?
                .chars()
                .map(u8::try_from)
                .collect::<Result<_, _>>()
                .map_err(|_| self.fault("text that is not Latin-1"))?;
        }
        self.at = span.at + span.len;
        self.go_to(back)?;
        Ok(Some(bytes))
    }

    /// Reads the bytes of a long string into `target`, which they must fill.
    pub(super) fn copy(&mut self, span: Span, target: &mut [u8]) -> Result<(), PickleFault> {
        self.go_to(span.at)?;
        if span.coding == Coding::Raw {
            if span.len != target.len() as u64 {
                return Err(self.fault(format!("{} bytes of pixels, expected {}", span.len, target.len())));
            }
            return self.inner.read_exact(target).map_err(PickleFault::Io);
        }
        let end = span.at + span.len;
        for pixel in target {
            if self.at >= end {
                return Err(self.fault("too few pixels"));
            }
            *pixel = match self.byte()? {
                byte @ ..0x80 => byte,
                lead @ (0xc2 | 0xc3) if self.at < end => match self.byte()? {
                    tail @ 0x80..0xc0 => (lead & 3) << 6 | (tail & 0x3f),
                    _ => return Err(self.fault("text that is not UTF-8")),
                },
                _ => return Err(self.fault("text that is not Latin-1 bytes in UTF-8")),
            };
        }
        if self.at == end { Ok(()) } else { Err(self.fault("too many pixels")) }
    }

    fn require(&self, len: u64) -> Result<(), PickleFault> {
        let left = self.end - self.at;
        if len <= left {
            return Ok(());
        }
        Err(self
            .fault(format!("{len} more bytes are announced, but the file has only {left}; it is cut short")))
    }

    fn go_to(&mut self, at: u64) -> Result<(), PickleFault> {
        // Both are within the file, whose length fits an i64; short seeks stay inside the buffer.
        self.inner.seek_relative(at as i64 - self.at as i64).map_err(PickleFault::Io)?;
        self.at = at;
        Ok(())
    }
}
