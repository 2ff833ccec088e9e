//! What several marks of a page refer to: outlines of glyphs and areas of clips, each defined once under an id.

use std::collections::BTreeMap;

/// Definitions in the order in which they were first asked for.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    ids: BTreeMap<String, String>,
    text: String,
    short: bool,
}

impl Definitions {
    /// With ids that are as short as can be, for a page that nothing else adds ids to. The others are derived from the content,
    /// so that several files can be put on one page.
    pub(super) fn short() -> Self {
        Self { short: true, ..Self::default() }
    }

    /// The id of what has this name; `definition` writes it when it is first asked for.
    pub(super) fn id(&mut self, name: String, definition: impl FnOnce(&str) -> String) -> String {
        if let Some(id) = self.ids.get(&name) {
            return id.clone();
        }
        let id = if self.short { format!("g{}", self.ids.len()) } else { name.clone() };
        self.text.push_str(&definition(&id));
        self.text.push('\n');
        self.ids.insert(name, id.clone());
        id
    }

    /// All of them, a line each.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}
