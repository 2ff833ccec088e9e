//! Figures as pictures.

use crate::event::{Events, Target, Value};

/// A figure as a PNG file.
#[derive(Clone, Debug)]
pub struct Png {
    name: String,
    size: [u32; 2],
    file: Vec<u8>,
}

impl Png {
    /// A PNG file under a name; `None` if it is none.
    pub fn new(name: &str, file: Vec<u8>) -> Option<Self> {
        // The signature is followed by the chunk IHDR, which begins with width and height.
        let head = file.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
        let number = |at: usize| Some(u32::from_be_bytes(head.get(at..at + 4)?.try_into().ok()?));
        let size = [number(8)?, number(12)?];
        Some(Self { name: name.to_owned(), size, file })
    }
}

/// All pictures, at step 0.
pub(super) fn events(target: &Target, pictures: &[Png], wall: f64) -> Events {
    let mut events = target.events(wall);
    for picture in pictures {
        events.add(wall, 0, [Value::png(&format!("figures/{}", picture.name), picture.size, &picture.file)]);
    }
    events
}
