//! The wire format of protocol buffers, as far as event files need it: numbers, text and messages within messages.

/// A message under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A field of type `int32`, `int64`, `bool` or an enumeration. None of ours is negative.
    pub(crate) fn whole(mut self, field: u32, value: u64) -> Self {
        self.key(field, VARINT);
        self.varint(value);
        self
    }

    /// A field of type `double`.
    pub(crate) fn double(mut self, field: u32, value: f64) -> Self {
        self.key(field, FIXED_64);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A field of type `float`.
    pub(crate) fn float(mut self, field: u32, value: f32) -> Self {
        self.key(field, FIXED_32);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A field of type `string` or `bytes`.
    pub(crate) fn bytes(mut self, field: u32, value: impl AsRef<[u8]>) -> Self {
        let value = value.as_ref();
        self.key(field, LENGTH);
        self.varint(value.len() as u64);
        self.0.extend(value);
        self
    }

    /// A message as a field.
    pub(crate) fn message(self, field: u32, value: Self) -> Self {
        self.bytes(field, value.0)
    }

    /// Several messages as one repeated field.
    pub(crate) fn messages(self, field: u32, values: impl IntoIterator<Item = Self>) -> Self {
        values.into_iter().fold(self, |message, value| message.message(field, value))
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }

    fn key(&mut self, field: u32, kind: u64) {
        self.varint(u64::from(field) << 3 | kind);
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

const VARINT: u64 = 0;
const FIXED_64: u64 = 1;
const LENGTH: u64 = 2;
const FIXED_32: u64 = 5;

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Content<'a> {
    Whole(u64),
    Double(f64),
    Float(f32),
    Bytes(&'a [u8]),
}

/// The fields of a message by their numbers; `None` where the bytes are no message.
pub(super) fn fields(mut bytes: &[u8]) -> Option<Vec<(u64, Content<'_>)>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes)?;
        let content = match key & 7 {
            VARINT => Content::Whole(varint(&mut bytes)?),
            FIXED_64 => Content::Double(f64::from_le_bytes(take(&mut bytes, 8)?.try_into().ok()?)),
            LENGTH => {
                let length = varint(&mut bytes)?;
                Content::Bytes(take(&mut bytes, usize::try_from(length).ok()?)?)
            }
            FIXED_32 => Content::Float(f32::from_le_bytes(take(&mut bytes, 4)?.try_into().ok()?)),
            _ => return None,
        };
        fields.push((key >> 3, content));
    }
    Some(fields)
}

fn take<'a>(bytes: &mut &'a [u8], n: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(n)?;
    *bytes = rest;
    Some(taken)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = take(bytes, 1)?[0];
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_specification() {
        // The examples of protobuf.dev, "Encoding".
        assert_eq!(Message::new().whole(1, 150).finish(), [0x08, 0x96, 0x01]);
        assert_eq!(Message::new().bytes(2, "testing").finish(), b"\x12\x07testing");
        let inner = Message::new().whole(1, 150);
        assert_eq!(Message::new().message(3, inner).finish(), [0x1a, 0x03, 0x08, 0x96, 0x01]);
    }

    #[test]
    fn what_is_written_is_read_and_what_is_cut_off_is_not() {
        let bytes = Message::new().whole(1, u64::MAX).double(2, 0.5).float(3, -2.0).bytes(4, "ab").finish();
        let read = [
            (1, Content::Whole(u64::MAX)),
            (2, Content::Double(0.5)),
            (3, Content::Float(-2.0)),
            (4, Content::Bytes(b"ab")),
        ];
        assert_eq!(fields(&bytes).as_deref(), Some(&read[..]));
        let ends: Vec<usize> = (0..=bytes.len()).filter(|&end| fields(&bytes[..end]).is_some()).collect();
        // A key and ten bytes, a key and eight, a key and four, a key, a length and two.
        assert_eq!(ends, [0, 11, 20, 25, 29]);
    }
}
