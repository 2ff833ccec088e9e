//! Event files of TensorBoard, written and read by hand: frames with checksums around a few fields of protocol buffers.

mod crc;
mod file;
mod framing;
mod protobuf;
mod read;
mod write;

pub(crate) use file::Target;
pub(crate) use protobuf::Message;
pub use read::{Event, EventFile, Read};
pub(crate) use write::{Events, Value};
