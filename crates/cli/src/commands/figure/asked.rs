//! The figures that a command asks for: by name, or as files.

use super::list;
use crate::failure::Failure;
use figures::{Assignment, CatalogueError, Composition, Drawing, Entry, Request};
use std::path::Path;

/// A figure to draw.
pub(super) enum Asked {
    Listed(&'static Entry),
    File(Box<Composition>),
}

impl Asked {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Listed(entry) => entry.name,
            Self::File(composition) => &composition.name,
        }
    }

    pub(super) fn draw(&self, request: &Request) -> Result<Drawing, CatalogueError> {
        let drawing = match self {
            Self::Listed(entry) => (entry.draw)(request),
            Self::File(composition) => composition.draw(request),
        };
        drawing?.shaped(request)
    }

    /// What its file decides.
    pub(super) fn options(&self) -> &[Assignment] {
        match self {
            Self::Listed(_) => &[],
            Self::File(composition) => &composition.options,
        }
    }
}

/// The figures of these names and files, each once, and whether that was `all`.
pub(super) fn asked(names: &[String]) -> Result<(Vec<Asked>, bool), Failure> {
    if names.iter().any(|name| name == "all") {
        return Ok((list::all().map(Asked::Listed).collect(), true));
    }
    let mut found: Vec<Asked> = Vec::new();
    for name in names {
        let next = if name.ends_with(".toml") { file(Path::new(name))? } else { listed(name)? };
        match found.iter().find(|other| other.name() == next.name()) {
            Some(Asked::File(_)) => {
                let name = next.name();
                return Err(Failure::Input(format!(
                    "two of the figures are called {name}: their files would be the same"
                )));
            }
            Some(Asked::Listed(_)) if name.ends_with(".toml") => {
                let name = next.name();
                return Err(Failure::Input(format!(
                    "{name} is a figure of the program too: rename the file"
                )));
            }
            Some(Asked::Listed(_)) => {}
            None => found.push(next),
        }
    }
    Ok((found, false))
}

fn file(path: &Path) -> Result<Asked, Failure> {
    let shown = record::escape::path(path);
    let text = record::bounded::utf8(path, record::bounded::RECIPE).map_err(|e| {
        Failure::Input(format!(
            "cannot read {shown}: {e}; `creditscope figure init` writes a file to start from"
        ))
    })?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let composition = Composition::parse(&record::escape::visible(&stem), &text, &shown);
    composition.map(|file| Asked::File(Box::new(file))).map_err(|e| Failure::Input(e.to_string()))
}

fn listed(name: &str) -> Result<Asked, Failure> {
    list::find(name).map(Asked::Listed).ok_or_else(|| {
        let near = list::suggestions(name);
        let hint =
            if near.is_empty() { String::new() } else { format!(" Did you mean {}?", near.join(" or ")) };
        Failure::Input(format!("there is no figure `{name}`.{hint} `creditscope figure list` shows them all"))
    })
}
