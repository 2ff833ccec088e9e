//! Events as TensorFlow's `event.proto` and `summary.proto` have them. Values are of the old style, `simple_value` and `image`,
//! which every reader of event files understands.

use super::framing;
use super::protobuf::Message;

/// Who wrote a file, as its first records say.
pub(super) const WRITER: &str = "creditscope";

/// Records of an event file under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events(Vec<u8>);

impl Events {
    /// The start of a file that belongs to `owner`.
    pub(crate) fn of(owner: &str, wall: f64) -> Self {
        let mut events = Self::default();
        events.push(Message::new().double(1, wall).bytes(3, "brain.Event:2"));
        let writer = Message::new().bytes(1, format!("{WRITER} {owner}"));
        events.push(Message::new().double(1, wall).message(10, writer));
        events
    }

    /// Adds values of one step in one record.
    pub(crate) fn add(&mut self, wall: f64, step: u64, values: impl IntoIterator<Item = Value>) {
        let summary = Message::new().messages(1, values.into_iter().map(|Value(message)| message));
        self.push(Message::new().double(1, wall).whole(2, step).message(5, summary));
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn push(&mut self, event: Message) {
        framing::push(&mut self.0, &event.finish());
    }
}

/// A value under a tag.
pub(crate) struct Value(Message);

impl Value {
    /// A point of a chart.
    pub(crate) fn scalar(tag: &str, value: f64) -> Self {
        Self(Message::new().bytes(1, tag).float(2, value as f32))
    }

    /// A PNG file with its size.
    pub(crate) fn png(tag: &str, size: [u32; 2], png: &[u8]) -> Self {
        const RGBA: u64 = 4;
        let [width, height] = size.map(u64::from);
        let image = Message::new().whole(1, height).whole(2, width).whole(3, RGBA).bytes(4, png);
        Self(Message::new().bytes(1, tag).message(4, image))
    }

    /// What a plugin keeps about a run beside its charts; there is nothing in the tensor.
    pub(crate) fn of_plugin(plugin: &str, tag: &str, content: Message) -> Self {
        const FLOAT: u64 = 1;
        let no_values = Message::new().message(2, Message::new().whole(1, 0));
        let tensor = Message::new().whole(1, FLOAT).message(2, no_values);
        Self(Message::new().bytes(1, tag).message(8, tensor).message(9, metadata(plugin, &content.finish())))
    }

    /// What a plugin reads from a tensor of one string.
    pub(crate) fn text_of_plugin(plugin: &str, tag: &str, text: Message) -> Self {
        const STRING: u64 = 7;
        let tensor = Message::new().whole(1, STRING).message(2, Message::new()).message(8, text);
        Self(Message::new().bytes(1, tag).message(8, tensor).message(9, metadata(plugin, &[])))
    }
}

fn metadata(plugin: &str, content: &[u8]) -> Message {
    Message::new().message(1, Message::new().bytes(1, plugin).bytes(2, content))
}
