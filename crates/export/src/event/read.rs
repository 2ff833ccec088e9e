//! Event files read back: what this program wrote, or what a stranger put in its place.

use super::framing;
use super::protobuf::{Content, fields};
use super::write::WRITER;

/// An event, as far as it is understood.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// Seconds since 1970.
    pub wall: f64,
    /// The step.
    pub step: u64,
    /// Who wrote the file, if the event says so.
    pub writer: Option<String>,
    /// The values under their tags.
    pub values: Vec<(String, Read)>,
}

/// A value that was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    /// A point of a chart.
    Scalar(f32),
    /// A picture: width, height, and its file.
    Image([u64; 2], Vec<u8>),
    /// What a plugin keeps, by the plugin's name.
    OfPlugin(String),
    /// Something else.
    Other,
}

/// An event file, read as far as it is sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventFile {
    /// The events.
    pub events: Vec<Event>,
    /// Bytes of the file up to the end of the last of them. What follows was cut off by a kill, or is damaged.
    pub sound: usize,
}

impl EventFile {
    /// Reads the content of a file.
    pub fn read(file: &[u8]) -> Self {
        let mut found = Self::default();
        let mut rest = file;
        while let Some((data, after)) = framing::split(rest) {
            let Some(event) = event(data) else { break };
            found.events.push(event);
            rest = after;
        }
        found.sound = file.len() - rest.len();
        found
    }

    /// Whose file it is, where this program wrote it.
    pub fn owner(&self) -> Option<&str> {
        let mut writers = self.events.iter().filter_map(|event| event.writer.as_deref());
        writers.find_map(|writer| writer.strip_prefix(WRITER)?.strip_prefix(' '))
    }
}

fn event(data: &[u8]) -> Option<Event> {
    let mut event = Event::default();
    for field in fields(data)? {
        match field {
            (1, Content::Double(wall)) => event.wall = wall,
            (2, Content::Whole(step)) => event.step = step,
            (5, Content::Bytes(summary)) => event.values.extend(values(summary)?),
            (10, Content::Bytes(source)) => event.writer = text(source, 1),
            _ => {}
        }
    }
    Some(event)
}

fn values(summary: &[u8]) -> Option<Vec<(String, Read)>> {
    let value = |bytes: &[u8]| {
        let mut tag = String::new();
        let mut read = Read::Other;
        for field in fields(bytes)? {
            match field {
                (1, Content::Bytes(bytes)) => tag = String::from_utf8_lossy(bytes).into_owned(),
                (2, Content::Float(value)) => read = Read::Scalar(value),
                (4, Content::Bytes(bytes)) => read = image(bytes)?,
                (9, Content::Bytes(metadata)) => read = plugin(metadata).map_or(Read::Other, Read::OfPlugin),
                _ => {}
            }
        }
        Some((tag, read))
    };
    let values = fields(summary)?.into_iter().filter_map(|field| match field {
        (1, Content::Bytes(bytes)) => Some(value(bytes)),
        _ => None,
    });
    values.collect()
}

fn image(bytes: &[u8]) -> Option<Read> {
    let mut size = [0; 2];
    let mut file = Vec::new();
    for field in fields(bytes)? {
        match field {
            (1, Content::Whole(height)) => size[1] = height,
            (2, Content::Whole(width)) => size[0] = width,
            (4, Content::Bytes(bytes)) => file = bytes.to_vec(),
            _ => {}
        }
    }
    Some(Read::Image(size, file))
}

fn plugin(metadata: &[u8]) -> Option<String> {
    let is_data = |(field, content)| match (field, content) {
        (1, Content::Bytes(data)) => text(data, 1),
        _ => None,
    };
    fields(metadata)?.into_iter().find_map(is_data)
}

/// The text in a field of a message.
fn text(message: &[u8], wanted: u64) -> Option<String> {
    fields(message)?.into_iter().find_map(|(field, content)| match content {
        Content::Bytes(bytes) if field == wanted => Some(String::from_utf8_lossy(bytes).into_owned()),
        _ => None,
    })
}
