//! What a recipe may say. Parsing, defaults, messages, the template and the identity of a run all follow from the list of keys.

mod key;
mod keys;
mod list;
mod rule_keys;

pub(super) use key::by;
pub use key::{Key, Kind, Preset};
pub use list::Schema;
