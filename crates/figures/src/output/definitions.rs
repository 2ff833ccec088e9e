//! What several marks of a page refer to: outlines of glyphs and markers and areas of clips, each defined once under an id.

use super::xml::outline;
use crate::scene::{Affine, Path, Point};
use std::collections::BTreeMap;

/// A shape of at most this size is a marker, of which a page has very many.
const MARKER: f64 = 12.0;

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

    /// The id of a marker's outline around its centre, and that centre. Files hold every outline where it is, for other
    /// programs to read.
    pub(super) fn marker(&mut self, path: &Path, map: &Affine) -> Option<(String, Point)> {
        let area = path.cover()?;
        if !self.short || *map != Affine::IDENTITY || area.w.max(area.h) > MARKER || path.0.len() < 4 {
            return None;
        }
        let centre = area.centre();
        let line = outline(&path.mapped(&Affine::shift(-centre.x, -centre.y)));
        let id = self.id(line.clone(), |id| format!("<path id=\"{id}\" d=\"{line}\"/>"));
        Some((id, centre))
    }

    /// Whether several pictures share them.
    pub(super) fn are_shared(&self) -> bool {
        self.short
    }

    /// All of them, a line each.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Rect, at};

    #[test]
    fn a_page_defines_a_marker_once_wherever_it_is() {
        let mut page = Definitions::short();
        let places = [at(10.0, 20.0), at(311.5, 7.25)];
        let found = places.map(|p| page.marker(&Path::circle(p, 2.0), &Affine::IDENTITY).unwrap());
        assert_eq!(found[0].0, found[1].0);
        assert_eq!(page.text().lines().count(), 1, "{}", page.text());
        for ((_, centre), place) in found.iter().zip(places) {
            assert!((centre.x - place.x).hypot(centre.y - place.y) < 1e-9);
        }
    }

    #[test]
    fn panels_lines_and_the_marks_of_files_stay_where_they_are() {
        let circle = Path::circle(at(5.0, 5.0), 2.0);
        assert_eq!(Definitions::default().marker(&circle, &Affine::IDENTITY), None);
        let mut page = Definitions::short();
        assert_eq!(page.marker(&Path::rect(&Rect::new(0.0, 0.0, 80.0, 60.0)), &Affine::IDENTITY), None);
        assert_eq!(page.marker(&Path::through(&[at(0.0, 0.0), at(3.0, 4.0)]), &Affine::IDENTITY), None);
        assert_eq!(page.marker(&circle, &Affine::turn(30.0)), None);
    }
}
